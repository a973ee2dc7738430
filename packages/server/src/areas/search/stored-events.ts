import { AppError } from '@tripline/contract/app-error'
import { listObservables } from '@tripline/engine/evaluate'
import type { NormalizedEvent } from '@tripline/engine/evaluate'
import { createEventIds } from '@tripline/formats/event/event-id'
import type { Principal } from '@tripline/model/access/principal'
import type { TenantId } from '@tripline/model/tenant'
import { printQuery } from '@tripline/query'
import type { StateStore } from '@tripline/state/ports/state-store'
import { requireFound } from '@tripline/state/ports/version-conflict'
import { LostEventError } from '@tripline/storage/events/event-store'
import type { EventPage, EventPosition, StoredEvent } from '@tripline/storage/events/event-store'
import { readAsRules } from '../shared/read-as-rules.ts'
import { summarizeEvent } from './event-summary.ts'
import type { EventSummary } from './event-summary.ts'
import { searchEvents } from './search-events.ts'
import { findGaps, listDamage } from './tenant-search.ts'
import type { EventSearchDeps } from './tenant-search.ts'

/** What single events need of the server. */
export type EventDeps = Pick<EventSearchDeps, 'events' | 'keys'> & { readonly state: Pick<StateStore, 'connectors'> }

/** A stored event with everything that is known about it. */
export type EventDetail = {
  /** Its fields are those that rules see. */
  readonly summary: EventSummary
  /** Undefined where no pipeline accepted it. */
  readonly receivedAt: number | undefined
  /** The connector that it came through; its name is undefined once it is deleted. */
  readonly connector: { readonly id: string; readonly name: string | undefined } | undefined
  readonly logsources: NormalizedEvent['logsources']
  /** The text as it arrived. */
  readonly raw: string
  /** An event never changes, but its connector may be renamed or deleted. */
  readonly version: number
}

/** @throws AppError NOT_FOUND for an id that is unknown, or of an event that is no longer stored. */
export async function getStoredEvent(deps: EventDeps, tenant: TenantId, id: string): Promise<EventDetail> {
  return await describeStoredEvent(deps, tenant, await findStoredEvent(deps, tenant, id))
}

/** A stored event with what is known about it. */
export async function describeStoredEvent(deps: EventDeps, tenant: TenantId, stored: StoredEvent): Promise<EventDetail> {
  const { connectorId, receivedAt } = stored.arrival ?? {}
  const connector = connectorId === undefined ? undefined : await deps.state.connectors.get(tenant, connectorId)
  const { text, fields, logsources } = readAsRules(stored)
  return {
    summary: { ...summarizeEvent(stored, { ids: createEventIds(deps.keys.cursor, tenant) }), fields },
    receivedAt,
    connector: connectorId === undefined ? undefined : { id: connectorId, name: connector?.name },
    logsources,
    raw: text,
    version: connector?.version ?? 0,
  }
}

/** What events around an event share with it. */
const surroundingKinds = ['host', 'account', 'user', 'process', 'any'] as const
type SurroundingKind = (typeof surroundingKinds)[number]

type SurroundingsRequest = {
  /** Default: the host, or else the cloud account, tenant or cluster. */
  readonly same: SurroundingKind | undefined
  /** How far to search in both directions. */
  readonly rangeMs: number
  /** The most events to return before and after the event. */
  readonly beforeMax: number
  readonly afterMax: number
}

/** The events around an event, oldest first, the event itself included. */
export type Surroundings = {
  readonly events: readonly EventSummary[]
  readonly same: { readonly kind: SurroundingKind; readonly value: string }
  /** A search for the same events. */
  readonly query: string
  readonly from: number
  readonly to: number
  readonly hasMoreBefore: boolean
  readonly hasMoreAfter: boolean
  readonly isTruncated: boolean
  readonly warnings: readonly string[]
}

/**
 * Finds the events shortly before and after an event on the same host, or of the same account, user or process. The
 * search is recorded in the audit trail.
 *
 * @throws AppError NOT_FOUND as `getStoredEvent`; INVALID_PARAMETER for an event that does not have what is to be the same.
 */
export async function getSurroundings(
  deps: EventSearchDeps, caller: Principal, id: string, { same, rangeMs, beforeMax, afterMax }: SurroundingsRequest,
): Promise<Surroundings> {
  const { tenant } = caller
  const center = await findStoredEvent(deps, tenant, id)
  const shared = findShared(readAsRules(center).event, same)
  const query = printSharedQuery(shared)
  const [from, to] = [center.occurredAt - rangeMs, center.occurredAt + rangeMs + 1]
  const look = (order: 'newest_first' | 'oldest_first', limit: number): Promise<EventPage> => searchEvents(deps.events, {
    tenant, query, limit, order, after: getPosition(center), extent: 'page', now: center.occurredAt,
    ...(order === 'newest_first' ? { from, to: center.occurredAt + 1 } : { from: center.occurredAt, to }),
  })
  const gaps = findGaps(deps, tenant)
  const before = await look('newest_first', beforeMax)
  const after = await look('oldest_first', afterMax)
  const events = [...before.events.toReversed(), center, ...after.events]
  const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
  await deps.recordSearch(caller, { query, ...range, found: events.length })
  const ids = createEventIds(deps.keys.cursor, tenant)
  const corruptedCount = Math.max(before.corruptedCount, after.corruptedCount)
  return {
    events: events.map((event) => summarizeEvent(event, { ids })),
    same: shared,
    query,
    from,
    to,
    hasMoreBefore: before.cursor !== undefined,
    hasMoreAfter: after.cursor !== undefined,
    isTruncated: before.isTruncated || after.isTruncated,
    warnings: [...gaps.warnings, ...listDamage({ corruptedCount, lostCount: Math.max(before.lostCount, after.lostCount) })],
  }
}

async function findStoredEvent(deps: Pick<EventSearchDeps, 'events' | 'keys'>, tenant: TenantId, id: string): Promise<StoredEvent> {
  const ref = createEventIds(deps.keys.cursor, tenant).parse(id)
  try {
    return requireFound(ref && (await deps.events.find(tenant, ref)), 'event')
  } catch (error) {
    if (!(error instanceof LostEventError)) throw error
    const message = 'the event cannot be read, because its block is corrupted; restore the block from a backup'
    throw new AppError('UNAVAILABLE', message, { damaged: true })
  }
}

/** What an event shares with those around it. */
function findShared(event: NormalizedEvent, same: SurroundingKind | undefined): Surroundings['same'] {
  if (same === 'any') return { kind: same, value: '' }
  const kinds = same === undefined ? (['host', 'account'] as const) : [same]
  for (const kind of kinds) {
    const [value] = listObservables(event, kind)
    if (value !== undefined) return { kind, value }
  }
  if (same === undefined) return { kind: 'any', value: '' }
  throw new AppError('INVALID_PARAMETER', `invalid same; the event has no ${same}, so choose another kind, or 'any'`, { parameter: 'same' })
}

const noSpan = { start: 0, end: 0 }

function printSharedQuery({ kind, value }: Surroundings['same']): string {
  if (kind === 'any') return ''
  return printQuery({ kind: 'term', field: kind, value: { kind: 'text', pattern: [{ kind: 'text', text: value }] }, span: noSpan })
}

function getPosition({ occurredAt, sequence }: EventPosition): EventPosition {
  return { occurredAt, sequence }
}
