import { parseEvent } from '@tripline/engine'
import type { EventObject, MalformedLine } from '@tripline/engine'
import { LineSplitter } from './line-splitter.ts'
import type { Line } from './line-splitter.ts'
import { limits } from './limits.ts'

/** Events that were read together, and what was wrong with the lines between them. */
export type EventBatch = {
  readonly events: EventObject[]
  /** The input line of each event, counted from 0. */
  readonly lines: number[]
  /** The JSON text of each event, as it stood in the input. */
  readonly texts: string[]
  readonly malformed: MalformedLine[]
  /** Bytes of all these lines. */
  bytes: number
  /** Time it took to split and parse them. */
  parseMs: number
}

/**
 * Reads NDJSON: one event per line. Blank lines are passed over, a byte order mark and carriage returns
 * are tolerated, bytes that are not UTF-8 become U+FFFD. A batch ends at the latest with the chunk it was
 * read from, so that the events of a slow pipe do not wait for more; it may be empty.
 */
export async function* readEvents(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  now: () => number,
): AsyncGenerator<EventBatch> {
  const splitter = new LineSplitter(limits.lineBytesMax)
  for await (const chunk of chunks) yield* batchesOf(splitter.split(chunk), now)
  yield* batchesOf(splitter.end(), now)
}

function* batchesOf(lines: Iterable<Line>, now: () => number): Generator<EventBatch> {
  let startedAt = now()
  let batch = emptyBatch()
  for (const line of lines) {
    addLine(batch, line)
    if (!isFull(batch)) continue
    batch.parseMs = now() - startedAt
    yield batch
    startedAt = now()
    batch = emptyBatch()
  }
  batch.parseMs = now() - startedAt
  yield batch
}

function emptyBatch(): EventBatch {
  return { events: [], lines: [], texts: [], malformed: [], bytes: 0, parseMs: 0 }
}

function isFull({ events, malformed, bytes }: EventBatch): boolean {
  return events.length + malformed.length >= limits.batchEventsMax || bytes >= limits.batchBytesMax
}

function addLine(batch: EventBatch, { number, bytes }: Line): void {
  if (bytes === undefined) {
    batch.malformed.push({ line: number, reason: `longer than ${limits.lineBytesMax.toLocaleString('en')} bytes` })
    return
  }
  batch.bytes += bytes.length
  // Trimming takes carriage returns and a byte order mark as well.
  const text = bytes.toString('utf8').trim()
  if (text === '') return
  const parsed = parseEvent(text)
  if ('event' in parsed) {
    batch.events.push(parsed.event)
    batch.lines.push(number)
    batch.texts.push(text)
  } else {
    batch.malformed.push({ line: number, reason: parsed.reason })
  }
}
