import { normalizeAddress } from '@tripline/common/address'
import type { Level } from '@tripline/engine'
import type { Alert } from '../alert.ts'
import { tactics } from '../attack.ts'
import type { Attack } from '../attack.ts'
import { levelRank } from '../level.ts'

/** The kinds of things that alerts have in common. */
export const entityKinds = ['host', 'user', 'ip'] as const
export type EntityKind = (typeof entityKinds)[number]

/** A host, user or address of an alert, in small letters. */
export type Entity = { readonly kind: EntityKind; readonly value: string }

/** An entity of an incident's alerts. */
export type IncidentEntity = Entity & {
  readonly alertCount: number
  /** When the first and the last of these alerts were created: alerts are grouped by it. */
  readonly firstAt: number
  readonly lastAt: number
  /** The times of the first and the last event of these alerts. */
  readonly firstEventAt: number
  readonly lastEventAt: number
}

/** What an incident knows of its alerts. It does not depend on the order in which they came. */
export type IncidentFacts = {
  readonly alertCount: number
  /** The first of the most severe alerts; undefined without alerts. */
  readonly worst: WorstAlert | undefined
  /** Tactics in the order of ATT&CK's matrix, techniques by id. */
  readonly attack: Attack
  /** When the first and the last alert were created. */
  readonly firstAlertAt: number | undefined
  readonly lastAlertAt: number | undefined
  /** The times of the first and the last event of its alerts. */
  readonly firstEventAt: number | undefined
  readonly lastEventAt: number | undefined
}

type WorstAlert = { readonly id: string; readonly level: Level; readonly ruleTitle: string; readonly at: number }

/** What an incident reads of an alert. */
export type IncidentAlert = Pick<
  Alert, 'id' | 'level' | 'ruleTitle' | 'attack' | 'createdAt' | 'firstEventAt' | 'lastEventAt' | 'event' | 'sourceIp'
>

export const noFacts: IncidentFacts = {
  alertCount: 0, worst: undefined, attack: { tactics: [], techniques: [] }, firstAlertAt: undefined, lastAlertAt: undefined,
  firstEventAt: undefined, lastEventAt: undefined,
}

/** The facts with some more alerts. */
export function addToFacts(facts: IncidentFacts, alerts: readonly IncidentAlert[]): IncidentFacts {
  const worst = alerts.reduce<WorstAlert | undefined>((worst, alert) => pickWorse(worst, toWorst(alert)), facts.worst)
  return {
    alertCount: facts.alertCount + alerts.length,
    worst,
    attack: mergeAttack([facts.attack, ...alerts.map(({ attack }) => attack)]),
    firstAlertAt: findFirst(facts.firstAlertAt, alerts.map(({ createdAt }) => createdAt)),
    lastAlertAt: findLast(facts.lastAlertAt, alerts.map(({ createdAt }) => createdAt)),
    firstEventAt: findFirst(facts.firstEventAt, alerts.map(({ firstEventAt }) => firstEventAt)),
    lastEventAt: findLast(facts.lastEventAt, alerts.map(({ lastEventAt }) => lastEventAt)),
  }
}

/** The entities of an alert. Names of hosts and users compare without case. */
export function listEntities({ event: { host, user }, sourceIp }: Pick<IncidentAlert, 'event' | 'sourceIp'>): readonly Entity[] {
  const entities: readonly Entity[] = [
    { kind: 'host', value: host.toLowerCase() },
    { kind: 'user', value: user.toLowerCase() },
    { kind: 'ip', value: normalizeAddress(sourceIp) ?? '' },
  ]
  return entities.filter(({ value }) => value !== '')
}

/** Counts the entities of alerts. */
export function countEntities(alerts: readonly IncidentAlert[]): readonly IncidentEntity[] {
  const found = new Map<string, IncidentEntity>()
  for (const alert of alerts) {
    const { createdAt, firstEventAt, lastEventAt } = alert
    for (const entity of listEntities(alert)) {
      const once = { ...entity, alertCount: 1, firstAt: createdAt, lastAt: createdAt, firstEventAt, lastEventAt }
      const key = toEntityKey(entity)
      found.set(key, addEntities(found.get(key), once))
    }
  }
  return [...found.values()]
}

/** Two counts of the same entity together. */
export function addEntities(known: IncidentEntity | undefined, more: IncidentEntity): IncidentEntity {
  if (known === undefined) return more
  return {
    ...known,
    alertCount: known.alertCount + more.alertCount,
    firstAt: Math.min(known.firstAt, more.firstAt),
    lastAt: Math.max(known.lastAt, more.lastAt),
    firstEventAt: Math.min(known.firstEventAt, more.firstEventAt),
    lastEventAt: Math.max(known.lastEventAt, more.lastEventAt),
  }
}

/** A text that is the same for equal entities alone. */
export function toEntityKey({ kind, value }: Entity): string {
  return `${kind} ${value}`
}

function toWorst({ id, level, ruleTitle, createdAt: at }: IncidentAlert): WorstAlert {
  return { id, level, ruleTitle, at }
}

function pickWorse(a: WorstAlert | undefined, b: WorstAlert): WorstAlert {
  if (a === undefined) return b
  const difference = levelRank[b.level] - levelRank[a.level] || a.at - b.at || (b.id < a.id ? 1 : -1)
  return difference > 0 ? b : a
}

const tacticNames = tactics.map(({ name }) => name)

function mergeAttack(parts: readonly Attack[]): Attack {
  const held = new Set(parts.flatMap(({ tactics }) => tactics))
  return {
    tactics: tacticNames.filter((name) => held.has(name)),
    techniques: [...new Set(parts.flatMap(({ techniques }) => techniques))].sort(),
  }
}

function findFirst(known: number | undefined, more: readonly number[]): number | undefined {
  return known === undefined && more.length === 0 ? undefined : Math.min(known ?? Infinity, ...more)
}

function findLast(known: number | undefined, more: readonly number[]): number | undefined {
  return known === undefined && more.length === 0 ? undefined : Math.max(known ?? -Infinity, ...more)
}
