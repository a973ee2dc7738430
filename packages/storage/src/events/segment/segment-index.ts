import { crc32 } from 'node:zlib'
import type { RandomAccessFile } from '../../disk/file-system.ts'
import { writeFully } from '../../disk/file-system.ts'
import { getBlockLength, decodeHeader, encodeHeader, headerLength } from '../block/block-header.ts'
import type { BlockEntry } from './find-blocks.ts'

/** An index entry: the block's offset, its header, and a checksum of both. */
export const entryLength = 8 + headerLength + 4

export function encodeEntry({ offset, header }: BlockEntry): Buffer {
  const entry = Buffer.alloc(entryLength)
  entry.writeDoubleLE(offset, 0)
  entry.set(encodeHeader(header), 8)
  entry.writeUInt32LE(crc32(entry.subarray(0, entryLength - 4)), entryLength - 4)
  return entry
}

/** The whole entries, by offset; the others are recovered from the segment. */
export async function readIndex(index: RandomAccessFile): Promise<BlockEntry[]> {
  const bytes = await index.read(0, await index.size())
  const found: BlockEntry[] = []
  let end = 0
  for (let at = 0; at + entryLength <= bytes.length; at += entryLength) {
    const entry = bytes.subarray(at, at + entryLength)
    const header = decodeHeader(entry.subarray(8))
    const offset = entry.readDoubleLE(0)
    if (header === undefined || offset < end) continue
    if (crc32(entry.subarray(0, entryLength - 4)) !== entry.readUInt32LE(entryLength - 4)) continue
    found.push({ offset, header })
    end = offset + getBlockLength(header)
  }
  return found
}

/** Writes the index of exactly these blocks. */
export async function writeIndex(index: RandomAccessFile, blocks: readonly BlockEntry[]): Promise<void> {
  const bytes = Buffer.concat(blocks.map(encodeEntry))
  await writeFully(index, bytes, 0)
  await index.truncate(bytes.length)
  await index.sync()
}
