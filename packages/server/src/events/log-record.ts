import { crc32 } from 'node:zlib'
import { ByteReader } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'
import type { NewRow } from './open-block.ts'

/** What the log says happened, in order. */
export type LogRecord =
  | { readonly kind: 'events'; readonly tenant: string; readonly rows: readonly NewRow[] }
  /** Days that end at or before an instant were dropped, with all events of them that came before a sequence. */
  | { readonly kind: 'retain'; readonly tenant: string; readonly before: number; readonly next: number }
  /** The sequence that the next event of a tenant gets; each file of the log begins with those of all tenants. */
  | { readonly kind: 'sequence'; readonly tenant: string; readonly next: number }

/** `TREC`, little-endian: where a record begins, so that damage ends where the next one does. */
export const recordMagic = 0x43455254
/** Magic, length of the payload, checksum of length and payload. */
export const recordHeadLength = 12
const version = 1
const kinds = ['events', 'retain', 'sequence'] as const

/** A record as `[magic][length][crc32][version, kind, tenant, sequence, ..., bytes as they arrived]`. */
export function encodeRecord(record: LogRecord): Buffer {
  const writer = new ByteWriter()
  for (let i = 0; i < 3; i++) writer.u32(0)
  writer.u8(version)
  writer.u8(kinds.indexOf(record.kind))
  const tenant = Buffer.from(record.tenant, 'utf8')
  writer.varint(tenant.length)
  writer.bytes(tenant)
  if (record.kind === 'retain') writer.f64(record.before)
  if (record.kind === 'events') writeRows(writer, record.rows)
  else writer.f64(record.next)
  const bytes = writer.done()
  bytes.writeUInt32LE(recordMagic, 0)
  bytes.writeUInt32LE(bytes.length - recordHeadLength, 4)
  bytes.writeUInt32LE(checksumOf(bytes), 8)
  return bytes
}

/** Reads the record that begins at an offset; undefined where none does, or it does not end, or its bytes are wrong. */
export function decodeRecord(bytes: Buffer, offset: number): { record: LogRecord; end: number } | undefined {
  if (offset + recordHeadLength > bytes.length || bytes.readUInt32LE(offset) !== recordMagic) return undefined
  const end = offset + recordHeadLength + bytes.readUInt32LE(offset + 4)
  if (end > bytes.length) return undefined
  const whole = bytes.subarray(offset, end)
  if (checksumOf(whole) !== whole.readUInt32LE(8)) return undefined
  const reader = new ByteReader(whole.subarray(recordHeadLength))
  if (reader.u8() !== version) return undefined
  const kind = kinds[reader.u8()]
  const tenant = reader.bytes(reader.varint()).toString('utf8')
  switch (kind) {
    case 'events':
      return { record: { kind, tenant, rows: readRows(reader) }, end }
    case 'retain':
      return { record: { kind, tenant, before: reader.f64(), next: reader.f64() }, end }
    case 'sequence':
      return { record: { kind, tenant, next: reader.f64() }, end }
    default:
      return undefined
  }
}

function checksumOf(record: Buffer): number {
  return crc32(record.subarray(recordHeadLength), crc32(record.subarray(4, 8)))
}

function writeRows(writer: ByteWriter, rows: readonly NewRow[]): void {
  writer.f64(rows[0]?.sequence ?? 0)
  writer.varint(rows.length)
  for (const { occurredAt, severity, bytes } of rows) {
    writer.f64(occurredAt)
    writer.u8(severity)
    writer.varint(bytes.length)
  }
  for (const { bytes } of rows) {
    writer.bytes(bytes)
    writer.u8(lineFeed)
  }
}

function readRows(reader: ByteReader): NewRow[] {
  const firstSequence = reader.f64()
  const heads = Array.from({ length: reader.varint() }, (_, i) => ({
    sequence: firstSequence + i, occurredAt: reader.f64(), severity: reader.u8(), length: reader.varint(),
  }))
  return heads.map(({ length, ...head }) => {
    const bytes = reader.bytes(length)
    reader.u8()
    return { ...head, bytes }
  })
}

const lineFeed = 0x0a
