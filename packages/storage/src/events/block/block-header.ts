import { crc32 } from 'node:zlib'
import type { BlockBounds } from './block.ts'
import { getParityLength } from './block-parity.ts'
import { ByteReader } from '../../log/byte-reader.ts'
import { ByteWriter } from '../../log/byte-writer.ts'

/** The header of a block: its bounds and lengths. */
export type BlockHeader = BlockBounds & {
  /**
   * The format: blocks of version 2 have no parity, those before version 4 no filters of frames and no chunks of dictionaries,
   * those before version 5 a directory in JSON and no filter of 4-grams of letters.
   */
  readonly version: BlockVersion
  /** The Bloom filter comes first, so it can be read without the rest of the block. */
  readonly filterLength: number
  readonly filterRawLength: number
  readonly filterCrc: number
  readonly directoryLength: number
  readonly directoryRawLength: number
  readonly directoryCrc: number
  readonly bodyLength: number
}

const blockVersions = [2, 3, 4, 5] as const
export type BlockVersion = (typeof blockVersions)[number]
/** The format that blocks are written in. */
export const blockVersion = 5
/** `TBLK`, little-endian. */
export const blockMagic = 0x4b4c4254
export const headerLength = 76

const lengths = [
  'rowCount', 'filterLength', 'filterRawLength', 'filterCrc', 'directoryLength', 'directoryRawLength', 'directoryCrc', 'bodyLength',
] as const

const instants = ['oldestAt', 'newestAt', 'firstSequence', 'lastSequence'] as const

export function encodeHeader(header: BlockHeader): Buffer {
  const writer = new ByteWriter()
  writer.u32(blockMagic)
  writer.u32(header.version)
  for (const name of lengths) writer.u32(header[name])
  for (const name of instants) writer.f64(header[name])
  writer.u32(crc32(writer.done()))
  return writer.done()
}

/** Decodes a header; undefined if it is missing, corrupted or of another version. */
export function decodeHeader(bytes: Buffer): BlockHeader | undefined {
  if (bytes.length < headerLength) return undefined
  const reader = new ByteReader(bytes.subarray(0, headerLength))
  if (reader.u32() !== blockMagic) return undefined
  const number = reader.u32()
  const version = blockVersions.find((known) => known === number)
  if (version === undefined) return undefined
  if (crc32(bytes.subarray(0, headerLength - 4)) !== bytes.readUInt32LE(headerLength - 4)) return undefined
  const [rowCount, filterLength, filterRawLength, filterCrc, ...rest] = lengths.map(() => reader.u32())
  const [directoryLength, directoryRawLength, directoryCrc, bodyLength] = rest
  const [oldestAt, newestAt, firstSequence, lastSequence] = instants.map(() => reader.f64())
  return {
    version, rowCount: rowCount!, filterLength: filterLength!, filterRawLength: filterRawLength!, filterCrc: filterCrc!,
    directoryLength: directoryLength!, directoryRawLength: directoryRawLength!, directoryCrc: directoryCrc!,
    bodyLength: bodyLength!,
    oldestAt: oldestAt!, newestAt: newestAt!, firstSequence: firstSequence!, lastSequence: lastSequence!,
  }
}

/** The length of a block: header, filter, directory, body, parity. */
export function getBlockLength(header: BlockHeader): number {
  const contentLength = getContentLength(header)
  return header.version === 2 ? contentLength : contentLength + getParityLength(contentLength)
}

/** The length of a block without its parity. */
export function getContentLength({ filterLength, directoryLength, bodyLength }: BlockHeader): number {
  return headerLength + filterLength + directoryLength + bodyLength
}
