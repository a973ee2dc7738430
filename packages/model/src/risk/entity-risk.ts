import type { Level } from '@tripline/engine'
import { listGroupingEntities } from '../incidents/grouping.ts'
import { entityKinds, toEntityKey } from '../incidents/incident-facts.ts'
import type { Entity, IncidentAlert } from '../incidents/incident-facts.ts'
import { severityOfLevel } from '../public-words.ts'

export const riskBands = ['low', 'medium', 'high', 'critical'] as const
type RiskBand = (typeof riskBands)[number]

/** How much a host, user or address is at risk, by its open alerts. */
export type EntityRisk = Entity & {
  /** 0 to 100. */
  readonly score: number
  readonly band: RiskBand
  /** What makes the score, the greatest part first, such as `2 high: 80 points`. */
  readonly factors: readonly string[]
  readonly alertCount: number
  readonly lastAlertAt: number
}

/** Points of a new alert; an alert counts half of them after each `halfLifeMs`. */
const points: { readonly [level in Level]: number } = { informational: 1, low: 5, medium: 15, high: 40, critical: 80 }
const halfLifeMs = 604_800_000

/** Points at which a score is 63; with more it comes near 100 and never exceeds it. */
const pointsAt63 = 100

/** Entities of one tenant; beyond, those of further alerts are left out. */
const entitiesMax = 100_000

type Part = { alertCount: number; points: number }
type Sum = { readonly entity: Entity; readonly parts: Map<Level, Part>; lastAlertAt: number }

/** Sums up the risk of entities, alert by alert: give it open alerts, the newest first. */
export class RiskSums {
  readonly #sums = new Map<string, Sum>()
  readonly #at: number
  readonly #ownNetworks: readonly string[]

  constructor(at: number, ownNetworks: readonly string[]) {
    this.#at = at
    this.#ownNetworks = ownNetworks
  }

  add(alert: IncidentAlert): void {
    const { level, createdAt } = alert
    const worth = points[level] * 0.5 ** (Math.max(0, this.#at - createdAt) / halfLifeMs)
    const terms = { grouping: { windowMs: 0, level, entities: entityKinds }, ownNetworks: this.#ownNetworks }
    for (const entity of listGroupingEntities(alert, terms)) {
      const key = toEntityKey(entity)
      const sum = this.#sums.get(key) ?? { entity, parts: new Map<Level, Part>(), lastAlertAt: createdAt }
      if (!this.#sums.has(key) && this.#sums.size >= entitiesMax) continue
      this.#sums.set(key, sum)
      const part = sum.parts.get(level) ?? { alertCount: 0, points: 0 }
      sum.parts.set(level, { alertCount: part.alertCount + 1, points: part.points + worth })
      sum.lastAlertAt = Math.max(sum.lastAlertAt, createdAt)
    }
  }

  list(): readonly EntityRisk[] {
    return [...this.#sums.values()].map(toRisk)
  }
}

function toRisk({ entity, parts, lastAlertAt }: Sum): EntityRisk {
  const sorted = [...parts].toSorted(([, a], [, b]) => b.points - a.points)
  const total = sorted.reduce((sum, [, part]) => sum + part.points, 0)
  const score = Math.round(100 * (1 - Math.exp(-total / pointsAt63)))
  return {
    ...entity, score, lastAlertAt,
    band: riskBands[Math.min(riskBands.length - 1, Math.floor(score / 25))] ?? 'critical',
    factors: sorted.map(([level, part]) => `${part.alertCount} ${severityOfLevel[level]}: ${Math.round(part.points)} points`),
    alertCount: sorted.reduce((sum, [, part]) => sum + part.alertCount, 0),
  }
}
