import { eventSeverities } from '@tripline/formats/event/event-severity'
import { limits } from '../limits.ts'
import type { EventRow } from './block/memtable.ts'
import type { NewEvent } from './event-store.ts'

/** The range of `Date`: 100 million days around 1970. */
const instantMax = 8.64e15

/** @throws RangeError for an invalid instant, or a batch over the limits. */
export function checkBatch(batch: readonly NewEvent[]): void {
  const { batchEventsMax, batchBytesMax } = limits.events
  if (batch.length > batchEventsMax) throw new RangeError(`the batch has ${batch.length} events; the limit is ${batchEventsMax}`)
  let byteCount = 0
  for (const { occurredAt, bytes } of batch) {
    if (!Number.isInteger(occurredAt) || Math.abs(occurredAt) > instantMax) {
      throw new RangeError(`${occurredAt} is not an instant in whole milliseconds`)
    }
    byteCount += bytes.length
  }
  if (byteCount > batchBytesMax) throw new RangeError(`the batch has ${byteCount} bytes; the limit is ${batchBytesMax}`)
}

/** A new event, or one that is stored already. */
type RowFacts = Omit<NewEvent, 'arrival'> & Pick<EventRow, 'arrival'>

/** Converts an event to a row with its sequence; the bytes are shared, not copied. */
export function toRow({ occurredAt, severity = 'info', bytes, arrival }: RowFacts, sequence: number): EventRow {
  const shared = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return { occurredAt, sequence, severity: eventSeverities.indexOf(severity), bytes: shared, arrival }
}
