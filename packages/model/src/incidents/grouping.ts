import { isInNetworks } from '@tripline/common/network'
import type { Level } from '@tripline/engine'
import { entityKinds, listEntities, toEntityKey } from './incident-facts.ts'
import type { Entity, EntityKind, IncidentAlert, IncidentEntity } from './incident-facts.ts'
import { levelRank } from '../level.ts'

/** How alerts become incidents by themselves. */
export type IncidentGrouping = {
  /** How far apart alerts may be, in milliseconds. */
  readonly windowMs: number
  /** The lowest level of an alert that opens or joins an incident. */
  readonly level: Level
  /** What they must have in common: one of these. */
  readonly entities: readonly EntityKind[]
}

export const groupingDefault: IncidentGrouping = { windowMs: 14_400_000, level: 'high', entities: entityKinds }

/** Names that every machine has, and words for a missing one: they tell nothing about who it was. */
const namesWithoutMeaning: ReadonlySet<string> = new Set([
  '-', '?', 'n/a', 'none', 'null', '(null)', 'undefined', 'unset', '4294967295', 'unknown', '(unknown)', '(unknown user)',
  '(invalid user)', 'not available', 'localhost', 'localhost.localdomain', 'system', 'local system', 'root',
  'local service', 'network service', 'anonymous logon',
  'nt authority\\system', 'nt authority\\local service', 'nt authority\\network service', 'nt authority\\anonymous logon',
])

/** Whether a name of a host or user, in small letters, tells which it was. */
export function isTelling(name: string): boolean {
  return !namesWithoutMeaning.has(name)
}

/** Addresses that mean the machine itself, or nothing. */
const ownAddresses = ['127.0.0.0/8', '0.0.0.0/32', '169.254.0.0/16', '::/127', 'fe80::/10']

type GroupingTerms = {
  /** Undefined: alerts are not grouped. */
  readonly grouping: IncidentGrouping | undefined
  readonly ownNetworks: readonly string[]
}

/** The entities by which an alert joins others: hosts, users that are persons, and addresses outside the own networks. */
export function listGroupingEntities(alert: IncidentAlert, { grouping, ownNetworks }: GroupingTerms): readonly Entity[] {
  if (grouping === undefined) return []
  return listEntities(alert).filter(({ kind, value }) => {
    if (!grouping.entities.includes(kind)) return false
    return kind === 'ip' ? !isInNetworks([...ownAddresses, ...ownNetworks], value) : isTelling(value)
  })
}

/** An alert to be grouped. */
export type GroupedAlert = IncidentAlert & {
  /** Whether its rule says that it opens an incident, whatever its level. */
  readonly opensIncident: boolean
}

/** An active incident that alerts may join, with those of its entities that they have. */
export type JoinableIncident = {
  readonly id: string
  readonly createdAt: number
  readonly alertCount: number
  readonly entities: readonly IncidentEntity[]
}

/** The alerts that an incident gets; `isNew` where it is opened for them. */
export type GroupedAlerts<Grouped extends GroupedAlert> = {
  readonly incidentId: string
  readonly isNew: boolean
  readonly alerts: readonly Grouped[]
}

type GroupingPlan<Grouped extends GroupedAlert> = {
  readonly groups: readonly GroupedAlerts<Grouped>[]
  /** Alerts that would have opened an incident beyond the limit. */
  readonly refused: readonly Grouped[]
}

type PlanTerms = GroupingTerms & {
  readonly createId: () => string
  readonly at: number
  readonly alertsMax: number
  /** How many incidents may be opened. */
  readonly roomForNew: number
}

/**
 * Decides which incident each alert joins, in their order: the oldest one that has an alert of the same entity within the
 * window and has room, or else a new one. An incident of this batch may be joined by the next alert of it.
 */
export function planGrouping<Grouped extends GroupedAlert>(
  alerts: readonly Grouped[], joinable: readonly JoinableIncident[], terms: PlanTerms,
): GroupingPlan<Grouped> {
  const incidents = new IncidentIndex(joinable)
  const groups = new Map<string, { readonly isNew: boolean; readonly alerts: Grouped[] }>()
  const refused: Grouped[] = []
  let roomForNew = terms.roomForNew
  for (const alert of alerts) {
    const entities = listGroupingEntities(alert, terms)
    if (!alert.opensIncident && !isGrouped(alert, entities, terms)) continue
    const found = incidents.find(entities, alert.createdAt, terms)
    if (found === undefined && roomForNew <= 0) {
      refused.push(alert)
      continue
    }
    if (found === undefined) roomForNew--
    const incident = found ?? { id: terms.createId(), createdAt: terms.at, alertCount: 0 }
    const group = groups.get(incident.id) ?? { isNew: found === undefined, alerts: [] }
    group.alerts.push(alert)
    groups.set(incident.id, group)
    incidents.add(incident, alert)
  }
  return { groups: [...groups].map(([incidentId, group]) => ({ incidentId, ...group })), refused }
}

function isGrouped({ level }: GroupedAlert, entities: readonly Entity[], { grouping }: GroupingTerms): boolean {
  return grouping !== undefined && entities.length > 0 && levelRank[level] >= levelRank[grouping.level]
}

type Place = { readonly id: string; readonly createdAt: number; alertCount: number }
type Span = { readonly place: Place; firstAt: number; lastAt: number }

/** Active incidents by entity, with when each was seen. */
class IncidentIndex {
  readonly #places = new Map<string, Place>()
  readonly #spans = new Map<string, Map<string, Span>>()

  constructor(joinable: readonly JoinableIncident[]) {
    for (const { id, createdAt, alertCount, entities } of joinable) {
      const place = { id, createdAt, alertCount }
      this.#places.set(id, place)
      for (const entity of entities) this.#widen(place, entity, entity.firstAt, entity.lastAt)
    }
  }

  /** The oldest incident with room that one of the entities was seen in, at most a window before or after. */
  find(entities: readonly Entity[], at: number, { grouping, alertsMax }: PlanTerms): Place | undefined {
    let oldest: Place | undefined
    for (const entity of entities) {
      for (const { place, firstAt, lastAt } of this.#spans.get(toEntityKey(entity))?.values() ?? []) {
        const { windowMs = 0 } = grouping ?? {}
        const isNear = at >= firstAt - windowMs && at <= lastAt + windowMs
        if (isNear && place.alertCount < alertsMax && (oldest === undefined || isOlder(place, oldest))) oldest = place
      }
    }
    return oldest
  }

  add({ id, createdAt, alertCount }: Place, alert: IncidentAlert): void {
    const place = this.#places.get(id) ?? { id, createdAt, alertCount }
    this.#places.set(id, place)
    place.alertCount++
    for (const entity of listEntities(alert)) this.#widen(place, entity, alert.createdAt, alert.createdAt)
  }

  #widen(place: Place, entity: Entity, firstAt: number, lastAt: number): void {
    const key = toEntityKey(entity)
    const spans = this.#spans.get(key) ?? new Map<string, Span>()
    this.#spans.set(key, spans)
    const span = spans.get(place.id)
    if (span === undefined) {
      spans.set(place.id, { place, firstAt, lastAt })
      return
    }
    span.firstAt = Math.min(span.firstAt, firstAt)
    span.lastAt = Math.max(span.lastAt, lastAt)
  }
}

function isOlder(a: Pick<Place, 'id' | 'createdAt'>, b: Pick<Place, 'id' | 'createdAt'>): boolean {
  return a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id)
}

/** A title for an incident that is opened for an alert. */
export function titleIncident({ ruleTitle, event: { host, user }, sourceIp }: IncidentAlert, lengthMax: number): string {
  const place = host !== '' ? ` on ${host}` : user !== '' ? ` by ${user}` : sourceIp !== '' ? ` from ${sourceIp}` : ''
  return `${ruleTitle.slice(0, Math.max(1, lengthMax - place.length))}${place}`.slice(0, lengthMax)
}
