import { AppError } from '@tripline/contract/app-error'
import type { FairTurns } from '@tripline/detection/fairness/fair-turns'
import { TurnSlices } from '@tripline/detection/fairness/turn-slices'
import { createEventIds } from '@tripline/formats/event/event-id'
import type { Principal } from '@tripline/model/access/principal'
import type { TenantId } from '@tripline/model/tenant'
import { QueryError } from '@tripline/query'
import type {
  EventPage, EventPosition, EventQuery, EventStore, Histogram, SearchOrder, StoredEvent,
} from '@tripline/storage/events/event-store'
import { recordFailure } from '../../audit/record-outcome.ts'
import type { OutcomeDeps } from '../../audit/record-outcome.ts'
import { readCursor, writeCursor } from '../../http/lists/cursor.ts'
import type { CursorDeps, CursorList } from '../../http/lists/cursor.ts'
import { limits } from '../../limits.ts'
import { summarizeEvent } from './event-summary.ts'
import type { EventSummary } from './event-summary.ts'
import { searchEvents } from './search-events.ts'
import type { CountExtent } from './search-events.ts'
import type { RecordSearch } from './search-recorder.ts'

export type { EventSummary }

/** What searches need of the server. */
export type EventSearchDeps = CursorDeps & OutcomeDeps & {
  readonly events: EventStore
  readonly pipeline: PipelineProgress & { readonly turns: Pick<FairTurns, 'next' | 'elapsedMs'> }
  readonly recordSearch: RecordSearch
}

/** Tells which accepted events searches cannot find. */
type PipelineProgress = {
  readonly countNotSearchable: (tenant: TenantId) => number
  readonly accounting: (tenant: TenantId) => { readonly lost: number }
}

/** A search by a user; times in milliseconds since the epoch, the end exclusive. */
export type TenantSearch = {
  readonly query: string
  readonly from: number | undefined
  readonly to: number | undefined
  readonly limit: number
  readonly order: SearchOrder
  readonly cursor: string | undefined
  /** The only fields to return. */
  readonly fields: readonly string[] | undefined
  /** What the first page computes beside the events. */
  readonly extent: EventQuery['extent']
  /** The most bars of the histogram; default: about 60. */
  readonly bucketsWanted?: number | undefined
  /** How far to count the matches of a search for a word. */
  readonly counts: CountExtent
  /** Ends the search once the caller is gone. */
  readonly signal?: Pick<AbortSignal, 'aborted'>
}

export type TenantSearchPage = {
  readonly events: readonly EventSummary[]
  readonly total: number
  readonly isTotalExact: boolean
  readonly isTruncated: boolean
  readonly scanned: EventPage['scanned']
  readonly histogram: Histogram | undefined
  readonly nextCursor: string | undefined
  readonly canonicalQuery: string
  readonly from: number
  readonly to: number
  readonly warnings: readonly string[]
}

/**
 * Searches the events of a tenant within a time budget. The first page counts all matches; later pages continue in the same
 * range and take the total from their cursor. First pages and failed searches are recorded in the audit trail.
 *
 * @throws AppError INVALID_QUERY with the position; INVALID_CURSOR; INVALID_PARAMETER for an invalid or too long range.
 */
export async function searchTenantEvents(deps: EventSearchDeps, caller: Principal, search: TenantSearch): Promise<TenantSearchPage> {
  const action = { action: 'search.run', target: { type: 'events', id: 'search' }, details: { query: search.query } }
  return await recordFailure(deps, caller, action, () => findPage(deps, caller, search))
}

async function findPage(deps: EventSearchDeps, caller: Principal, search: TenantSearch): Promise<TenantSearchPage> {
  const { tenant } = caller
  const list: CursorList = { tenant, endpoint: 'search', query: [search.query, search.from, search.to, search.order] }
  const first = search.cursor === undefined ? undefined : readFirstPage(deps, list, search.cursor)
  const { from, to } = first ?? resolveSearchRange(search, deps.clock.now())
  // Before the search, which may or may not find what is stored meanwhile.
  const gaps = findGaps(deps, tenant)
  const found = await runSearch(deps.events, { ...search, tenant, from, to, now: deps.clock.now(), after: first?.after })
  const fitting = cutToAnswerSize(found.events)
  const isCut = fitting.length < found.events.length
  const last = isCut ? fitting.at(-1) : found.cursor
  const isExact = found.isTotalExact && !gaps.isBehind
  const [total, isTotalExact] = first === undefined ? [found.total, isExact] : [first.total, first.isTotalExact]
  if (first === undefined) {
    const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
    await deps.recordSearch(caller, { query: search.query, ...range, found: total })
  }
  return {
    events: await summarizeInTurns(deps, tenant, fitting, search.fields),
    total,
    isTotalExact,
    isTruncated: found.isTruncated,
    scanned: found.scanned,
    histogram: found.histogram,
    nextCursor: last && writeCursor(deps, list, {
      last: [last.occurredAt, last.sequence],
      decided: [from, to, total, Number(isTotalExact)],
      ordinal: (first?.ordinal ?? 0) + fitting.length,
    }),
    canonicalQuery: found.canonicalQuery,
    from,
    to,
    warnings: [
      ...(isCut ? ['page_cut'] : []),
      ...(first === undefined && search.extent !== 'page' && isCountPartial(found) ? ['counts_partial'] : []),
      ...gaps.warnings,
      ...listDamage(found),
    ],
  }
}

/** Parsing a page of large events takes many milliseconds, so it is done in turns of the tenant. */
async function summarizeInTurns(
  { keys, pipeline: { turns } }: Pick<EventSearchDeps, 'keys' | 'pipeline'>, tenant: TenantId, events: readonly StoredEvent[],
  fields: readonly string[] | undefined,
): Promise<readonly EventSummary[]> {
  const ids = createEventIds(keys.cursor, tenant)
  const slices = new TurnSlices(turns, tenant)
  const summaries: EventSummary[] = []
  for (const event of events) {
    await slices.yieldIfDue()
    summaries.push(summarizeEvent(event, { ids, fields }))
  }
  return summaries
}

/** The accepted events of a tenant that a search cannot find: those that are not stored yet, and those that were lost. */
export function findGaps(
  { pipeline }: { readonly pipeline: Pick<EventSearchDeps['pipeline'], 'accounting' | 'countNotSearchable'> }, tenant: TenantId,
): {
  readonly isBehind: boolean
  readonly warnings: readonly string[]
} {
  const count = pipeline.countNotSearchable(tenant)
  const { lost } = pipeline.accounting(tenant)
  const warnings = [...(count > 0 ? [`not_searchable_yet:${count}`] : []), ...(lost > 0 ? [`lost_events:${lost}`] : [])]
  return { isBehind: count > 0, warnings }
}

/** Warnings of blocks that a search could not read, and of events of its range that are lost. */
export function listDamage({ corruptedCount, lostCount }: Pick<EventPage, 'corruptedCount' | 'lostCount'>): readonly string[] {
  const blocks = corruptedCount === 0 ? [] : [`damaged_blocks:${corruptedCount}`]
  return lostCount === 0 ? blocks : [...blocks, `unreadable_events:${lostCount}`]
}

type FirstPage = {
  readonly after: EventPosition
  readonly from: number
  readonly to: number
  readonly total: number
  readonly isTotalExact: boolean
  readonly ordinal: number
}

/** Reads the first page's facts from a cursor: the range ends at the time of that page, and counting again would take as long. */
function readFirstPage(deps: EventSearchDeps, list: CursorList, cursor: string): FirstPage {
  const { last, ordinal, decided = [] } = readCursor(deps, list, cursor)
  const [occurredAt = 0, sequence = 0] = last.map(Number)
  const [from = 0, to = 0, total = 0, isExact = 0] = decided
  return { after: { occurredAt, sequence }, from, to, total, isTotalExact: isExact === 1, ordinal }
}

/**
 * The requested range or the last day, including events of the current millisecond.
 *
 * @throws AppError INVALID_PARAMETER for an invalid or too long range.
 */
export function resolveSearchRange(
  { from, to }: Pick<TenantSearch, 'from' | 'to'>, now: number,
): { readonly from: number; readonly to: number } {
  const { searchRangeMs, searchRangeMaxMs, searchRangeDelayMs } = limits.lists
  const end = to ?? now + 1
  const start = from ?? end - searchRangeMs
  if (start >= end) throw new AppError('INVALID_PARAMETER', "invalid from; it must be before 'to'", { parameter: 'from' })
  if (end - start <= searchRangeMaxMs + (to === undefined ? searchRangeDelayMs : 0)) return { from: start, to: end }
  const days = searchRangeMaxMs / 86_400_000
  const message = `invalid from; a search covers at most ${days} days`
  throw new AppError('INVALID_PARAMETER', message, { parameter: 'from', days_max: days })
}

/** Whether counting ended before the range did, and the page is complete. */
function isCountPartial({ isTotalExact, isTruncated, corruptedCount }: EventPage): boolean {
  return !isTotalExact && !isTruncated && corruptedCount === 0
}

type RangedSearch = Omit<TenantSearch, 'from' | 'to'> & {
  readonly tenant: string
  readonly from: number
  readonly to: number
  readonly after: EventPosition | undefined
  readonly now: number
}

async function runSearch(store: EventStore, { after, bucketsWanted, cursor: _cursor, fields: _fields, ...search }: RangedSearch) {
  try {
    return await searchEvents(store, {
      ...search, ...(bucketsWanted !== undefined && { bucketsWanted }), ...(after !== undefined && { after, extent: 'page' }),
    })
  } catch (error) {
    throw toQueryRefusal(error)
  }
}

/** The error of a request for an invalid query, with its position; any other error as it is. */
export function toQueryRefusal(error: unknown): unknown {
  if (!(error instanceof QueryError)) return error
  const { position, line, column, expected } = error
  return new AppError('INVALID_QUERY', error.message, { position, line, column, expected })
}

/** Cuts events to the maximum size of a response, keeping at least one. */
function cutToAnswerSize(events: readonly StoredEvent[]): readonly StoredEvent[] {
  let byteCount = 0
  const end = events.findIndex(({ bytes }, index) => {
    byteCount += bytes.length
    return index > 0 && byteCount > limits.lists.searchAnswerBytesMax
  })
  return end === -1 ? events : events.slice(0, end)
}
