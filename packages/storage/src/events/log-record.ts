import { ByteReader } from '../log/byte-reader.ts'
import type { ByteWriter } from '../log/byte-writer.ts'
import { encodeRecord } from '../log/record.ts'
import { readArrivals, writeArrivals } from './block/arrivals.ts'
import type { Arrivals } from './block/arrivals.ts'
import type { EventRow } from './block/memtable.ts'

/** The records of the log. */
export type LogRecord =
  | { readonly kind: 'events'; readonly tenant: string; readonly rows: readonly EventRow[]; readonly mark: number | undefined }
  /** A run at an instant dropped the days that end at or before another, with their events before a sequence. */
  | { readonly kind: 'retain'; readonly tenant: string; readonly before: number; readonly next: number; readonly at: number }
  /** The next sequence of a tenant and its mark; each log file begins with those of all tenants. */
  | { readonly kind: 'sequence'; readonly tenant: string; readonly next: number; readonly mark: number | undefined }

/** Version 1 had no marks, version 2 no instants of retention runs, version 3 no arrivals. */
const version = 4
const kinds = ['events', 'retain', 'sequence'] as const

const noMark = -1

/** Encodes a record with the payload `[version, kind, tenant, mark, sequence, times, severities, arrivals, bytes as they arrived]`. */
export function encodeLogRecord(record: LogRecord): Buffer {
  return encodeRecord((writer) => {
    writer.u8(version)
    writer.u8(kinds.indexOf(record.kind))
    const tenant = Buffer.from(record.tenant, 'utf8')
    writer.varint(tenant.length)
    writer.bytes(tenant)
    if (record.kind === 'retain') writer.f64(record.before)
    else writer.f64(record.mark ?? noMark)
    if (record.kind === 'events') writeRows(writer, record.rows)
    else writer.f64(record.next)
    if (record.kind === 'retain') writer.f64(record.at)
  }, record.kind === 'events' ? estimateBytes(record) : undefined)
}

/** Bytes that events take in a record, or a little more: so they are written once. */
function estimateBytes({ tenant, rows }: Extract<LogRecord, { kind: 'events' }>): number {
  const [headBytes, rowBytes] = [256, 32]
  return rows.reduce((sum, { bytes }) => sum + rowBytes + bytes.length, headBytes + tenant.length)
}

/** Decodes the payload of a record; undefined for an unknown version or kind. */
export function decodeLogRecord(payload: Buffer): LogRecord | undefined {
  const reader = new ByteReader(payload)
  const found = reader.u8()
  if (found < 1 || found > version) return undefined
  const kind = kinds[reader.u8()]
  const tenant = reader.bytes(reader.varint()).toString('utf8')
  switch (kind) {
    case 'events':
      return { kind, tenant, mark: readMark(reader, found), rows: readRows(reader, found) }
    case 'retain': {
      const [before, next] = [reader.f64(), reader.f64()]
      return { kind, tenant, before, next, at: found < 3 ? Math.max(0, before) : reader.f64() }
    }
    case 'sequence':
      return { kind, tenant, mark: readMark(reader, found), next: reader.f64() }
    default:
      return undefined
  }
}

function readMark(reader: ByteReader, found: number): number | undefined {
  if (found < 2) return undefined
  const mark = reader.f64()
  return mark === noMark ? undefined : mark
}

const lineFeed = 0x0a

function writeRows(writer: ByteWriter, rows: readonly EventRow[]): void {
  writer.f64(rows[0]?.sequence ?? 0)
  writer.varint(rows.length)
  for (const { occurredAt, severity, bytes } of rows) {
    writer.f64(occurredAt)
    writer.u8(severity)
    writer.varint(bytes.length)
  }
  writeArrivals(writer, rows.map(({ arrival }) => arrival))
  for (const { bytes } of rows) {
    writer.bytes(bytes)
    writer.u8(lineFeed)
  }
}

function readRows(reader: ByteReader, found: number): EventRow[] {
  const firstSequence = reader.f64()
  const heads = Array.from({ length: reader.varint() }, (_, i) => ({
    sequence: firstSequence + i, occurredAt: reader.f64(), severity: reader.u8(), length: reader.varint(),
  }))
  const arrivalAt: Arrivals = found < 4 ? () => undefined : readArrivals(reader, heads.length)
  return heads.map(({ length, ...head }, row) => {
    const bytes = reader.bytes(length)
    reader.u8()
    return { ...head, bytes, arrival: arrivalAt(row) }
  })
}
