import { isJsonObject, tryParseJson } from '@tripline/common/json'
import { encodeRecord } from '@tripline/storage/log/record'

/** Where a source stands, as JSON that it understands itself. */
export type SourcePosition = { readonly [name: string]: unknown }

/** Events of a source with the position behind them: both are durable, or neither. */
type EventsHeader = {
  readonly kind: 'events'
  /** The sequence number of the first event. */
  readonly first: number
  readonly count: number
  readonly source: string
  /** Undefined for sources without one. */
  readonly position?: SourcePosition
  /** When they were written. */
  readonly at: number
}

/** What each file begins with, so that older files can be removed. */
type CheckpointHeader = SpoolTotals & {
  readonly kind: 'checkpoint'
  readonly id: string
  readonly next: number
  readonly positions: { readonly [source: string]: SourcePosition }
}

/** Totals, and the files whose events were dropped: one that is still there after a crash is removed. */
type TotalsHeader = SpoolTotals & { readonly kind: 'totals'; readonly droppedFile?: number }

type SpoolTotals = { readonly acked: number; readonly droppedTotal: number }

export type SpoolHeader = EventsHeader | CheckpointHeader | TotalsHeader

const lineFeed = 0x0a

/** Encodes a record: its header as a line of JSON, then the events as lines. */
export function encodeSpoolRecord(header: SpoolHeader, lines: Uint8Array = Buffer.alloc(0)): Buffer {
  return encodeRecord((writer) => {
    writer.bytes(Buffer.from(`${JSON.stringify(header)}\n`))
    writer.bytes(lines)
  })
}

/** Reads the header of a record; undefined for a payload that this version does not know. */
export function readSpoolHeader(payload: Buffer): SpoolHeader | undefined {
  const parsed = tryParseJson(payload.toString('utf8', 0, payload.indexOf(lineFeed)))
  return 'value' in parsed && isSpoolHeader(parsed.value) ? parsed.value : undefined
}

/** Records have checksums: what names a kind is whole. */
function isSpoolHeader(value: unknown): value is SpoolHeader {
  return isJsonObject(value) && ['events', 'checkpoint', 'totals'].includes(String(value['kind']))
}

/** The lines of events in a record. */
export function readSpoolLines(payload: Buffer): Buffer {
  return payload.subarray(payload.indexOf(lineFeed) + 1)
}
