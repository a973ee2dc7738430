import type { Predicate } from '@tripline/engine/predicate'
import type { EventArrival } from '@tripline/formats/event/event-arrival'
import type { EventRef } from '@tripline/formats/event/event-id'
import type { EventSeverity } from '@tripline/formats/event/event-severity'
import type { Corruption } from '../log/corruption.ts'
import type { TenantId } from '../tenant-id.ts'

/**
 * Stores the events of tenants and searches them with the engine's predicates: a predicate finds an event exactly when
 * a rule with it matches. The tenant is part of every call, and no call sees another tenant's events.
 */
export type EventStore = {
  /**
   * Appends events in order; resolves when they are durable, and searches find them from then on. A mark records the
   * writer's progress and is stored with the events atomically.
   *
   * @throws EventStoreError when the store does not take them; then none of them was acknowledged.
   * @throws RangeError for an instant out of range, or an event or batch over the limits.
   */
  readonly append: (tenant: TenantId, batch: readonly NewEvent[], mark?: number) => Promise<AppendReceipt>
  /** The highest mark stored with events of the tenant, dropped ones included; undefined if there is none. */
  readonly getMark: (tenant: TenantId) => Promise<number | undefined>
  /** Finds events, newest first unless the query says otherwise. */
  readonly search: (query: EventQuery) => Promise<EventPage>
  /** Counts events by time and severity; yields partial counts, and the total last. */
  readonly histogram: (query: HistogramQuery) => AsyncIterable<Histogram>
  /** The event with this sequence number. */
  readonly get: (tenant: TenantId, sequence: number) => Promise<StoredEvent | undefined>
  /** The event that a reference identifies. @throws LostEventError where it may be among lost ones. */
  readonly find: (tenant: TenantId, ref: EventRef) => Promise<StoredEvent | undefined>
  /** Reads events oldest first, in batches; events appended meanwhile are left out. */
  readonly scan: (query: ScanQuery) => AsyncIterable<ScanBatch>
  /** Moves whole days that end at or before an instant to the trash; `at` is the present. */
  readonly retain: (tenant: TenantId, before: number, at: number) => Promise<RetainReceipt>
  /**
   * Erases the matching events that were appended before the call, also from the log and the trash; resolves when none of their
   * bytes is left in a file of the store. Blocks whose bytes are corrupted are removed whole.
   *
   * @throws EventStoreError where the disk has no space for it; then some of them may be there still.
   */
  readonly erase: (query: EraseQuery) => Promise<EraseReceipt>
  /** Deletes what was moved to the trash before an instant; returns the number of files. */
  readonly purgeTrash: (tenant: TenantId, before: number) => Promise<number>
  /** The fields of the newest events: their types and frequent values. */
  readonly fields: (tenant: TenantId) => Promise<FieldCatalog>
  /** The names of these fields without what counts their values; undefined if there are too many. The same list until one is new. */
  readonly fieldNames: (tenant: TenantId) => Promise<readonly string[] | undefined>
  readonly stats: (tenant: TenantId) => Promise<EventStats>
  /** Reads and checks everything that is stored. */
  readonly verify: () => Promise<EventStoreVerification>
  /** The damage found so far in a tenant's events; the counts survive restarts and never go down. */
  readonly getDamage: (tenant: TenantId) => EventDamage
  /** Reads blocks that a verification found damaged: repairs them, or counts their events as lost. */
  readonly inspect: (blocks: readonly DamagedBlock[]) => Promise<void>
  /** Finishes what is under way. No other call may follow. */
  readonly close: () => Promise<void>
}

/** An event to append. */
export type NewEvent = {
  readonly occurredAt: number
  /** Default: `info`. */
  readonly severity?: EventSeverity
  /** The JSON object as it arrived, without a trailing line feed. It is returned unchanged. */
  readonly bytes: Uint8Array
  /** How it arrived; absent for an event that no pipeline accepted. */
  readonly arrival?: EventArrival
}

/** An event that the pipeline accepted. */
export type AcceptedEvent = NewEvent & { readonly arrival: EventArrival }

/** Reads the events that were appended and that the writer still has, in the order of their arrival. */
export type SecondCopy = () => AsyncIterable<{ readonly tenant: TenantId; readonly event: AcceptedEvent }>

export type AppendReceipt = { readonly firstSequence: number; readonly count: number }

/** The position of an event: its time, then its sequence, the number of its arrival in the tenant. */
export type EventPosition = { readonly occurredAt: number; readonly sequence: number }

export type StoredEvent = EventPosition & {
  readonly severity: EventSeverity
  readonly bytes: Uint8Array
  /** How it arrived; undefined for an event that no pipeline accepted. */
  readonly arrival: EventArrival | undefined
}

/** The reference that identifies a stored event. */
export function getEventRef({ occurredAt, sequence, arrival }: Pick<StoredEvent, 'occurredAt' | 'sequence' | 'arrival'>): EventRef {
  return arrival === undefined ? { occurredAt, by: 'sequence', number: sequence } : { occurredAt, by: 'offset', number: arrival.offset }
}

/** The events to consider: from `from` inclusive to `to` exclusive. */
export type EventRange = { readonly tenant: TenantId; readonly from: number; readonly to: number; readonly predicate: Predicate }

/** The order of found events: by position, descending or ascending. */
export type SearchOrder = 'newest_first' | 'oldest_first'

export type EventQuery = EventRange & {
  readonly limit: number
  /** Default: newest first. */
  readonly order?: SearchOrder
  /** The cursor of the previous page; this page starts behind it. */
  readonly after?: EventPosition
  /** The time budget in milliseconds; when it ends, the result is what was found so far. */
  readonly budgetMs: number
  /**
   * For a predicate that looks for a word in all texts: milliseconds from the start after which a full page is returned with
   * what was counted. Default: the budget.
   */
  readonly keywordCountMs?: number
  /**
   * How far to search: until the page is full, or through the whole range for an exact total, optionally with a
   * histogram.
   */
  readonly extent: 'page' | 'total' | 'histogram'
  /** Ends the search once its caller is gone; the result is what was found so far. */
  readonly signal?: Pick<AbortSignal, 'aborted'>
  /** The most buckets of the histogram for a range of up to 60 days; default: `limits.events.bucketsWanted`. */
  readonly bucketsWanted?: number
}

export type EventPage = {
  readonly events: readonly StoredEvent[]
  /** Pass it as `after` for the next page; undefined on the last one. */
  readonly cursor: EventPosition | undefined
  /** All matching events of the range; a lower bound where `isTotalExact` is false. */
  readonly total: number
  readonly isTotalExact: boolean
  /** What the search cost. */
  readonly scanned: ScannedEvents
  /** Whether the budget or the signal ended the search. Then the page may lack events, and `cursor` is where it stopped. */
  readonly isTruncated: boolean
  /** Blocks that cannot be read; none of their events is returned or counted. */
  readonly corruptedCount: number
  /** Lost events that may be of the range, whether or not they match: of these blocks, of missing segments, and of the log. */
  readonly lostCount: number
  readonly histogram: Histogram | undefined
}

/** What a search looked at: the events and bytes of the blocks that it read, and the events of those in the range. */
type ScannedEvents = {
  /** Blocks that their filters exclude, and those whose matches an earlier search found, are not read. */
  readonly readCount: number
  /** The blocks as they are stored, compressed; those in memory count with the bytes of their events. */
  readonly readByteCount: number
  readonly rangeCount: number
}

export type HistogramQuery = EventRange & { readonly budgetMs: number }

export type Histogram = {
  readonly bucketMs: number
  /** The whole range, including empty buckets. */
  readonly buckets: readonly HistogramBucket[]
  readonly total: number
  /**
   * Whether everything was counted; true only in the last histogram, and only if neither the budget nor a corrupted
   * block cut it short.
   */
  readonly isExact: boolean
}

export type HistogramBucket = {
  readonly startsAt: number
  readonly count: number
  /** Severities that occur. */
  readonly bySeverity: { readonly [severity in EventSeverity]?: number }
}

export type ScanQuery = EventRange & { readonly after?: EventPosition; readonly batchEventsMax: number }

export type ScanBatch = { readonly events: readonly StoredEvent[]; readonly corruptedCount: number }

export type RetainReceipt = { readonly droppedDays: number; readonly droppedEvents: number }

/** The events to erase: those that match a predicate and, where it is stated, a decision about each. */
export type EraseQuery = {
  readonly tenant: TenantId
  readonly predicate: Predicate
  readonly isErased?: (event: StoredEvent) => boolean
}

/** How many events were erased; those of the trash and those of the log that were in a segment count once. */
export type EraseReceipt = { readonly eventCount: number }

export type FieldCatalog = {
  /** Ordered by name. */
  readonly fields: readonly CatalogField[]
  /** Whether there are more fields than are listed. */
  readonly isCut: boolean
}

export type CatalogField = {
  /** Nested keys are joined by dots. */
  readonly name: string
  readonly eventCount: number
  readonly types: readonly FieldType[]
  /** Frequent values, most frequent first. Counts come from blocks that list them, so they are lower bounds. */
  readonly values: readonly { readonly text: string; readonly count: number }[]
}

export const fieldTypes = ['text', 'number', 'boolean', 'null', 'list'] as const
export type FieldType = (typeof fieldTypes)[number]

export type EventStats = {
  readonly eventCount: number
  /** Undefined where there are no events. */
  readonly oldestAt: number | undefined
  readonly newestAt: number | undefined
  /** Bytes of the tenant's segments on disk; the shared log is not included. */
  readonly storedBytes: number
  readonly dayCount: number
}

export type EventStoreVerification = {
  readonly eventCount: number
  readonly segmentCount: number
  readonly blockCount: number
  readonly logRecordCount: number
  /** Places where bytes fail their checksum; a torn end of the log is not corruption. */
  readonly corruptedCount: number
  readonly firstCorruption: Corruption | undefined
  /** The damaged blocks among these places. */
  readonly damagedBlocks: readonly DamagedBlock[]
}

/** Damage found in the events of a tenant. */
type EventDamage = {
  /** Stored events that can no longer be read. */
  readonly lostCount: number
  /** Blocks that were repaired from their parity or from the log, and gaps of the log that were filled from the second copy. */
  readonly repairedCount: number
  /** Blocks, since the start, with a filter that was corrupted beyond repair: searches read more of them, and find all. */
  readonly ignoredFilterCount: number
}

/** A block whose bytes are corrupted; where it is not lost, it can be repaired. */
export type DamagedBlock = {
  readonly tenant: TenantId
  readonly file: string
  readonly offset: number
  readonly eventCount: number
  readonly isLost: boolean
}

/** The event that was asked for is not found, and may be one of those that were lost. */
export class LostEventError extends Error {
  constructor() {
    super('the event may be in a block whose bytes are corrupted')
    this.name = 'LostEventError'
  }
}

/** Why a store rejects events: it is closed, the disk failed, the disk is full, or writing cannot keep up. */
type EventStoreErrorCode = 'CLOSED' | 'FAILED' | 'FULL' | 'OVERLOADED'

/**
 * The event store rejected events. `FULL` and `OVERLOADED` are worth a retry; after `FAILED` the process has to
 * restart.
 */
export class EventStoreError extends Error {
  readonly code: EventStoreErrorCode

  constructor(code: EventStoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'EventStoreError'
    this.code = code
  }
}
