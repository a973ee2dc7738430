import { crc32 } from 'node:zlib'
import { ByteWriter } from './byte-writer.ts'

/** Magic number, payload length, checksum of length and payload. */
export const recordHeaderLength = 12
/** `TREC`, little-endian: marks the start of a record, so reading resynchronises behind corruption. */
const recordMagic = 0x43455254

type WritePayload = (writer: ByteWriter) => void

/** Encodes a record `[magic][length][crc32][payload]`. `payloadBytes` is what the payload probably takes. */
export function encodeRecord(writePayload: WritePayload, payloadBytes?: number): Buffer {
  const writer = payloadBytes === undefined ? new ByteWriter() : new ByteWriter(recordHeaderLength + payloadBytes)
  writeRecord(writer, writePayload)
  return writer.done()
}

/** Writes a record behind what a writer has. */
export function writeRecord(writer: ByteWriter, writePayload: WritePayload): void {
  const start = writer.length
  for (let i = 0; i < 3; i++) writer.u32(0)
  writePayload(writer)
  const record = writer.done().subarray(start)
  record.writeUInt32LE(recordMagic, 0)
  record.writeUInt32LE(record.length - recordHeaderLength, 4)
  record.writeUInt32LE(computeChecksum(record), 8)
}

type DecodedRecord = { readonly payload: Buffer; readonly end: number }

/** Decodes the record at an offset; undefined if there is none, it is incomplete or its checksum is wrong. */
export function decodeRecordAt(bytes: Buffer, offset: number): DecodedRecord | undefined {
  const length = readRecordLengthAt(bytes, offset)
  if (length === undefined || offset + length > bytes.length) return undefined
  const whole = bytes.subarray(offset, offset + length)
  if (computeChecksum(whole) !== whole.readUInt32LE(8)) return undefined
  return { payload: whole.subarray(recordHeaderLength), end: offset + length }
}

/** The stated length of the record at an offset, header included; undefined if there is none. */
export function readRecordLengthAt(bytes: Buffer, offset: number): number | undefined {
  if (offset + recordHeaderLength > bytes.length || bytes.readUInt32LE(offset) !== recordMagic) return undefined
  return recordHeaderLength + bytes.readUInt32LE(offset + 4)
}

const magicBytes = Buffer.alloc(4)

/** Finds the start of the next valid record from an offset on. */
export function findRecord(bytes: Buffer, from: number): number | undefined {
  for (let at = bytes.indexOf(magicBytes, from); at !== -1; at = bytes.indexOf(magicBytes, at + 1)) {
    if (decodeRecordAt(bytes, at) !== undefined) return at
  }
  return undefined
}

function computeChecksum(record: Buffer): number {
  return crc32(record.subarray(recordHeaderLength), crc32(record.subarray(4, 8)))
}

magicBytes.writeUInt32LE(recordMagic)
