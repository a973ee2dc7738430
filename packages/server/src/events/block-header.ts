import { crc32 } from 'node:zlib'
import type { BlockBounds } from './block.ts'
import { ByteReader } from '../records/byte-reader.ts'
import { ByteWriter } from '../records/byte-writer.ts'

/** What stands at the beginning of a block: its bounds and how long it is. */
export type BlockHeader = BlockBounds & {
  /** The filter stands first, so that it can be read and asked without anything else of the block. */
  readonly filterLength: number
  readonly filterRawLength: number
  readonly filterCrc: number
  readonly directoryLength: number
  readonly directoryRawLength: number
  readonly directoryCrc: number
  readonly bodyLength: number
}

/** Version of the format of blocks, in their first bytes; another one is not read. */
const version = 2
/** `TBLK`, little-endian. */
export const blockMagic = 0x4b4c4254
export const headerLength = 76

export function encodeHeader(header: BlockHeader): Buffer {
  const writer = new ByteWriter()
  writer.u32(blockMagic)
  writer.u32(version)
  for (const name of lengths) writer.u32(header[name])
  for (const name of instants) writer.f64(header[name])
  writer.u32(crc32(writer.done()))
  return writer.done()
}

/** Reads a header; undefined where there is none, or another version's, or it is damaged. */
export function decodeHeader(bytes: Buffer): BlockHeader | undefined {
  if (bytes.length < headerLength) return undefined
  const reader = new ByteReader(bytes.subarray(0, headerLength))
  if (reader.u32() !== blockMagic || reader.u32() !== version) return undefined
  if (crc32(bytes.subarray(0, headerLength - 4)) !== bytes.readUInt32LE(headerLength - 4)) return undefined
  const [rowCount, filterLength, filterRawLength, filterCrc, ...rest] = lengths.map(() => reader.u32())
  const [directoryLength, directoryRawLength, directoryCrc, bodyLength] = rest
  const [oldestAt, newestAt, firstSequence, lastSequence] = instants.map(() => reader.f64())
  return {
    rowCount: rowCount!, filterLength: filterLength!, filterRawLength: filterRawLength!, filterCrc: filterCrc!,
    directoryLength: directoryLength!, directoryRawLength: directoryRawLength!, directoryCrc: directoryCrc!,
    bodyLength: bodyLength!,
    oldestAt: oldestAt!, newestAt: newestAt!, firstSequence: firstSequence!, lastSequence: lastSequence!,
  }
}

/** Bytes of a block: header, filter, directory, body. */
export function blockLength({ filterLength, directoryLength, bodyLength }: BlockHeader): number {
  return headerLength + filterLength + directoryLength + bodyLength
}

const lengths = [
  'rowCount', 'filterLength', 'filterRawLength', 'filterCrc', 'directoryLength', 'directoryRawLength', 'directoryCrc', 'bodyLength',
] as const
const instants = ['oldestAt', 'newestAt', 'firstSequence', 'lastSequence'] as const
