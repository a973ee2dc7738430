import { crc32 } from 'node:zlib'
import { ByteWriter } from './byte-writer.ts'

/** Magic, length of the payload, checksum of length and payload. */
export const recordHeaderLength = 12
/** `TREC`, little-endian: where a record begins, so that damage ends where the next one does. */
const recordMagic = 0x43455254

/** Makes a record `[magic][length][crc32][payload]` of what a function writes. */
export function encodeRecord(writePayload: (writer: ByteWriter) => void): Buffer {
  const writer = new ByteWriter()
  for (let i = 0; i < 3; i++) writer.u32(0)
  writePayload(writer)
  const bytes = writer.done()
  bytes.writeUInt32LE(recordMagic, 0)
  bytes.writeUInt32LE(bytes.length - recordHeaderLength, 4)
  bytes.writeUInt32LE(computeChecksum(bytes), 8)
  return bytes
}

export type DecodedRecord = { readonly payload: Buffer; readonly end: number }

/** Reads the record that begins at an offset; undefined where none does, or it does not end, or its bytes are wrong. */
export function decodeRecordAt(bytes: Buffer, offset: number): DecodedRecord | undefined {
  const length = readRecordLengthAt(bytes, offset)
  if (length === undefined || offset + length > bytes.length) return undefined
  const whole = bytes.subarray(offset, offset + length)
  if (computeChecksum(whole) !== whole.readUInt32LE(8)) return undefined
  return { payload: whole.subarray(recordHeaderLength), end: offset + length }
}

/** How long the record that begins at an offset says it is, head included; undefined where none begins. */
export function readRecordLengthAt(bytes: Buffer, offset: number): number | undefined {
  if (offset + recordHeaderLength > bytes.length || bytes.readUInt32LE(offset) !== recordMagic) return undefined
  return recordHeaderLength + bytes.readUInt32LE(offset + 4)
}

/** Where the first whole record from an offset on begins. */
export function findRecord(bytes: Buffer, from: number): number | undefined {
  for (let at = bytes.indexOf(magicBytes, from); at !== -1; at = bytes.indexOf(magicBytes, at + 1)) {
    if (decodeRecordAt(bytes, at) !== undefined) return at
  }
  return undefined
}

function computeChecksum(record: Buffer): number {
  return crc32(record.subarray(recordHeaderLength), crc32(record.subarray(4, 8)))
}

const magicBytes = Buffer.alloc(4)
magicBytes.writeUInt32LE(recordMagic)
