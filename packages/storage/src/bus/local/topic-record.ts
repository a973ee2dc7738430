import type { TenantId } from '../../tenant-id.ts'
import { ByteReader } from '../../log/byte-reader.ts'
import { ByteWriter } from '../../log/byte-writer.ts'
import { encodeRecord, writeRecord } from '../../log/record.ts'
import { limits } from '../../limits.ts'
import { TenantCounters } from './tenant-counters.ts'
import type { MessageTotal } from './tenant-counters.ts'
import { getMessageCost } from '../validate-messages.ts'

/** The records in the files of a topic. */
export type TopicRecord = TopicHead | TopicBatch | BatchTrailer

/** The first record of each file: the offset of its first message, and the counters of all messages before it. */
type TopicHead = { readonly kind: 'head'; readonly firstOffset: number; readonly totals: TenantCounters }

/** Messages published together. */
type TopicBatch = {
  readonly kind: 'batch'
  readonly firstOffset: number
  readonly tenant: TenantId
  readonly messages: readonly Uint8Array[]
}

/**
 * Follows a batch and repeats what it held, under a checksum of its own: if one of the two is corrupted, the other tells whose
 * messages were lost, or still has them.
 */
export type BatchTrailer = {
  readonly kind: 'trailer'
  readonly firstOffset: number
  readonly tenant: TenantId
  readonly total: MessageTotal
}

const version = 1
const kinds = ['head', 'batch', 'trailer'] as const

/** Encodes a header as a record `[version, kind, offset, tenants: name, count, bytes]`. */
export function encodeHead({ firstOffset, totals }: Omit<TopicHead, 'kind'>): Buffer {
  return encodeRecord((writer) => {
    writer.u8(version)
    writer.u8(kinds.indexOf('head'))
    writer.f64(firstOffset)
    writer.varint(totals.tenants.size)
    for (const [tenant, { count, bytes }] of totals.tenants) {
      const name = Buffer.from(tenant, 'utf8')
      writer.varint(name.length)
      writer.bytes(name)
      writer.f64(count)
      writer.f64(bytes)
    }
  })
}

/**
 * Encodes messages published together as batches of at most `limits.bus.unitMessagesMax`, each with its trailer: a flipped bit
 * costs one batch.
 */
export function encodeUnits(batch: Omit<TopicBatch, 'kind'>, { hasTrailers }: { readonly hasTrailers: boolean }): Buffer {
  const { tenant, messages } = batch
  const writer = new ByteWriter(estimateBytes(batch))
  for (let start = 0; start < messages.length; start += limits.bus.unitMessagesMax) {
    const unit = { firstOffset: batch.firstOffset + start, tenant, messages: messages.slice(start, start + limits.bus.unitMessagesMax) }
    writeBatch(writer, unit)
    if (hasTrailers) writeTrailer(writer, { ...unit, total: countMessages(unit.messages) })
  }
  return writer.done()
}

/** Bytes that messages take as units, or a little more: so they are written once. */
function estimateBytes({ tenant, messages }: Omit<TopicBatch, 'kind'>): number {
  const [lengthBytes, unitBytes] = [4, 2 * (64 + tenant.length)]
  const unitCount = Math.ceil(messages.length / limits.bus.unitMessagesMax)
  return messages.reduce((sum, { length }) => sum + lengthBytes + length, unitCount * unitBytes)
}

/** The number of messages and their cost. */
export function countMessages(messages: readonly Uint8Array[]): MessageTotal {
  return { count: messages.length, bytes: messages.reduce((sum, message) => sum + getMessageCost(message), 0) }
}

/** Writes a trailer as a record `[version, kind, offset, tenant, count, bytes]`. */
function writeTrailer(writer: ByteWriter, { firstOffset, tenant, total }: Omit<BatchTrailer, 'kind'>): void {
  writeRecord(writer, () => {
    writer.u8(version)
    writer.u8(kinds.indexOf('trailer'))
    writer.f64(firstOffset)
    const name = Buffer.from(tenant, 'utf8')
    writer.varint(name.length)
    writer.bytes(name)
    writer.f64(total.count)
    writer.f64(total.bytes)
  })
}

/** Writes a batch as a record `[version, kind, offset, tenant, count, lengths, bytes]`. */
function writeBatch(writer: ByteWriter, { firstOffset, tenant, messages }: Omit<TopicBatch, 'kind'>): void {
  writeRecord(writer, () => {
    writer.u8(version)
    writer.u8(kinds.indexOf('batch'))
    writer.f64(firstOffset)
    const name = Buffer.from(tenant, 'utf8')
    writer.varint(name.length)
    writer.bytes(name)
    writer.varint(messages.length)
    for (const { length } of messages) writer.varint(length)
    for (const message of messages) writer.bytes(message)
  })
}

/** Decodes the payload of a record; undefined for an unknown version or kind. */
export function decodeTopicRecord(payload: Buffer): TopicRecord | undefined {
  const reader = new ByteReader(payload)
  if (reader.u8() !== version) return undefined
  const kind = kinds[reader.u8()]
  if (kind === undefined) return undefined
  const firstOffset = reader.f64()
  if (kind === 'head') {
    const tenants = Array.from({ length: reader.varint() }, () =>
      [readName(reader), { count: reader.f64(), bytes: reader.f64() }] as const)
    return { kind, firstOffset, totals: new TenantCounters(tenants) }
  }
  const tenant = readName(reader)
  if (kind === 'trailer') return { kind, firstOffset, tenant, total: { count: reader.f64(), bytes: reader.f64() } }
  const lengths = Array.from({ length: reader.varint() }, () => reader.varint())
  return { kind, firstOffset, tenant, messages: lengths.map((length) => reader.bytes(length)) }
}

function readName(reader: ByteReader): string {
  return reader.bytes(reader.varint()).toString('utf8')
}
