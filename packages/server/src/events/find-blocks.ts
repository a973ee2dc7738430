import type { DiskFile } from '../file-system.ts'
import { blockLength, blockMagic, decodeHeader, headerLength } from './block-header.ts'
import type { BlockHeader } from './block-header.ts'
import { DamageError } from '../records/byte-reader.ts'
import type { Damage } from '../records/corruption.ts'
import { PieceCache } from './block-cache.ts'
import { StoredBlock } from './stored-block.ts'

export type FoundBlock = { readonly offset: number; readonly header: BlockHeader }

/** Which part of a segment to look through; after the last there is nothing of the file. */
export type Gap = { readonly file: string; readonly start: number; readonly end: number; readonly isLast: boolean }

/** What stands in a part of a segment. */
export type FoundInGap = {
  readonly blocks: readonly FoundBlock[]
  readonly damages: readonly Damage[]
  /** The end of the last thing in it that is whole or damaged; what follows was never written to its end. */
  readonly end: number
}

/** Bytes that are searched at once for the beginning of a block. */
const windowBytes = 1_048_576

/** Looks for whole blocks where the index tells of none, and goes on behind what is damaged. */
export async function findBlocks(disk: DiskFile, { file, start, end, isLast }: Gap): Promise<FoundInGap> {
  const blocks: FoundBlock[] = []
  const damages: Damage[] = []
  let at = start
  while (at < end) {
    const found = await wholeBlockAt(disk, at, end)
    if (found !== undefined) {
      blocks.push(found)
      at += blockLength(found.header)
      continue
    }
    const next = await nextBlock(disk, at + 1, end)
    // Nothing whole follows: it broke off while it was written, and the log still has its events.
    if (next === undefined && isLast) break
    damages.push({ file, offset: at, problem: 'bytes that are no whole block' })
    at = next ?? end
  }
  return { blocks, damages, end: at }
}

async function wholeBlockAt(disk: DiskFile, offset: number, end: number): Promise<FoundBlock | undefined> {
  const header = decodeHeader(await disk.read(offset, headerLength))
  if (header === undefined || offset + blockLength(header) > end) return undefined
  const cache = new PieceCache(0)
  const block = new StoredBlock(header, { offset, cache, filterCache: cache, read: (at, length) => disk.read(at, length) })
  try {
    await block.verify()
    return { offset, header }
  } catch (error) {
    if (error instanceof DamageError) return undefined
    throw error
  }
}

/** Where the next whole block begins. */
async function nextBlock(disk: DiskFile, from: number, end: number): Promise<number | undefined> {
  const magic = Buffer.alloc(4)
  magic.writeUInt32LE(blockMagic)
  for (let start = from; start < end; start += windowBytes) {
    const bytes = await disk.read(start, Math.min(windowBytes + magic.length - 1, end - start))
    for (let at = bytes.indexOf(magic); at !== -1; at = bytes.indexOf(magic, at + 1)) {
      if (await wholeBlockAt(disk, start + at, end) !== undefined) return start + at
    }
  }
  return undefined
}
