import type { Predicate } from '@tripline/engine/predicate'
import type { EventSeverity } from '../domain/event-severity.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { Corruption } from '../records/corruption.ts'

/**
 * Keeps the events of tenants, searched by the engine's predicates: an event is found by a predicate when a rule
 * with that predicate matches it. The tenant is the first word of every call, and no call sees another's events.
 */
export type EventStore = {
  /**
   * Adds events, in order; resolves when their bytes are safe on disk, and they are found from then on. A mark says how
   * far whoever adds them has come, and is kept with them or not at all.
   *
   * @throws EventStoreError when they are not taken: then none of them was acknowledged.
   * @throws RangeError for an instant that no date can hold, or an event or a batch over the limits.
   */
  readonly append: (tenant: TenantId, batch: readonly NewEvent[], mark?: number) => Promise<AppendReceipt>
  /** The highest mark that came with events of the tenant, dropped ones too; undefined where none did. */
  readonly getMark: (tenant: TenantId) => Promise<number | undefined>
  /** Finds events, newest first. */
  readonly search: (query: EventQuery) => Promise<EventPage>
  /** Counts events by time and severity; yields what it has counted so far again and again, at last all. */
  readonly histogram: (query: HistogramQuery) => AsyncIterable<Histogram>
  /** The event with this sequence. */
  readonly get: (tenant: TenantId, sequence: number) => Promise<StoredEvent | undefined>
  /** Reads events oldest first, in batches; events that are added meanwhile are left out. */
  readonly scan: (query: ScanQuery) => AsyncIterable<ScanBatch>
  /** Drops whole days that end at or before an instant. */
  readonly retain: (tenant: TenantId, before: number) => Promise<RetainReceipt>
  /** The fields of the newest events: their types and frequent values. */
  readonly fields: (tenant: TenantId) => Promise<FieldCatalog>
  readonly stats: (tenant: TenantId) => Promise<EventStats>
  /** Reads everything that is stored and checks it. */
  readonly verify: () => Promise<EventStoreVerification>
  /** Ends what is under way; nothing may be asked afterwards. */
  readonly close: () => Promise<void>
}

/** An event to be added. */
export type NewEvent = {
  readonly occurredAt: number
  /** An event that says nothing of it is `info`. */
  readonly severity?: EventSeverity
  /** The JSON object as it arrived, without a line feed at its end. They are given back as they are. */
  readonly bytes: Uint8Array
}

export type AppendReceipt = { readonly firstSequence: number; readonly count: number }

/** Where an event stands: by time, then by sequence, its number among the tenant's events in the order of arrival. */
export type EventPosition = { readonly occurredAt: number; readonly sequence: number }

export type StoredEvent = EventPosition & { readonly severity: EventSeverity; readonly bytes: Uint8Array }

/** Which events: from `from` on, before `to`. */
export type EventRange = { readonly tenant: TenantId; readonly from: number; readonly to: number; readonly predicate: Predicate }

export type EventQuery = EventRange & {
  readonly limit: number
  /** The cursor of the page before; this one begins with what is older. */
  readonly after?: EventPosition
  /** Milliseconds after which the answer is what was found so far. */
  readonly budgetMs: number
  /**
   * How far to look: until the page is full, or through all of the range for an exact total, and a histogram
   * with it.
   */
  readonly extent: 'page' | 'total' | 'histogram'
}

export type EventPage = {
  readonly events: readonly StoredEvent[]
  /** Goes into `after` for the next page; undefined when this is the last. */
  readonly cursor: EventPosition | undefined
  /** All events that match in the range, whatever the page; a lower bound where `isTotalExact` is false. */
  readonly total: number
  readonly isTotalExact: boolean
  /** Whether the budget ended before the search did. Then the page may lack events, and `cursor` is where it stopped. */
  readonly isTruncated: boolean
  /** Blocks whose bytes are not what was written; nothing of them is served. */
  readonly damagedCount: number
  readonly histogram: Histogram | undefined
}

export type HistogramQuery = EventRange & { readonly budgetMs: number }

export type Histogram = {
  readonly bucketMs: number
  /** All of the range, also those without events. */
  readonly buckets: readonly HistogramBucket[]
  readonly total: number
  /** Whether everything was counted; false in all but the last, and there where the budget ended or a block is damaged. */
  readonly isExact: boolean
}

export type HistogramBucket = {
  readonly startsAt: number
  readonly count: number
  /** Severities that occur. */
  readonly bySeverity: { readonly [severity in EventSeverity]?: number }
}

export type ScanQuery = EventRange & { readonly after?: EventPosition; readonly batchEventsMax: number }

export type ScanBatch = { readonly events: readonly StoredEvent[]; readonly damagedCount: number }

export type RetainReceipt = { readonly droppedDays: number; readonly droppedEvents: number }

export type FieldCatalog = {
  /** By name. */
  readonly fields: readonly CatalogField[]
  /** Whether there are more fields than are listed. */
  readonly isCut: boolean
}

export type CatalogField = {
  /** With dots between the keys of nested objects. */
  readonly name: string
  readonly eventCount: number
  readonly types: readonly FieldType[]
  /** Frequent values, the most frequent first; counts are of blocks that list them, so lower bounds. */
  readonly values: readonly { readonly text: string; readonly count: number }[]
}

export const fieldTypes = ['text', 'number', 'boolean', 'null', 'list'] as const
export type FieldType = (typeof fieldTypes)[number]

export type EventStats = {
  readonly eventCount: number
  /** Undefined where there are no events. */
  readonly oldestAt: number | undefined
  readonly newestAt: number | undefined
  /** Bytes of the tenant's segments on disk; the log is shared and not among them. */
  readonly storedBytes: number
  readonly dayCount: number
}

export type EventStoreVerification = {
  readonly eventCount: number
  readonly segmentCount: number
  readonly blockCount: number
  readonly logRecordCount: number
  /** Places where bytes are not what was written; a torn end of the log is none. */
  readonly damagedCount: number
  readonly firstDamage: Corruption | undefined
}

/** Why a store takes no events: no room, a broken disk, more than it can write, or it was closed. */
export type EventStoreErrorCode = 'CLOSED' | 'FAILED' | 'FULL' | 'OVERLOADED'

/** Refuses events. After `FULL` and `OVERLOADED` it is worth trying again; after `FAILED` only a new process is. */
export class EventStoreError extends Error {
  readonly code: EventStoreErrorCode

  constructor(code: EventStoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'EventStoreError'
    this.code = code
  }
}
