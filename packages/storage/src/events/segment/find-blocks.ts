import { getErrorMessage } from '@tripline/common/error-message'
import { isUnreadableError } from '../../disk/file-system.ts'
import type { RandomAccessFile } from '../../disk/file-system.ts'
import { CorruptionError } from '../../log/byte-reader.ts'
import { getBlockLength, blockMagic, decodeHeader, headerLength } from '../block/block-header.ts'
import type { BlockHeader } from '../block/block-header.ts'
import type { Corruption } from '../../log/corruption.ts'
import { checkBlock, readWhatIsThere } from './stored-block.ts'
import type { ReadBytes } from './stored-block-reader.ts'

export type BlockEntry = { readonly offset: number; readonly header: BlockHeader }

/** The part of a segment to scan; behind the last gap the file ends. */
type Gap = { readonly file: string; readonly start: number; readonly end: number; readonly isLast: boolean }

/** The content of a gap. */
type GapContents = {
  readonly blocks: readonly BlockEntry[]
  readonly corruptions: readonly Corruption[]
  /** The end of the last whole or corrupted bytes; what follows was never completely written. */
  readonly end: number
}

/** Bytes scanned at once for the start of a block. */
const windowBytes = 1_048_576

/** Scans a gap of the index for whole blocks, and continues behind corrupted bytes. */
export async function findBlocks(opened: RandomAccessFile, { file, start, end, isLast }: Gap): Promise<GapContents> {
  const disk = createLenientReader(opened)
  const blocks: BlockEntry[] = []
  const corruptions: Corruption[] = []
  let at = start
  while (at < end) {
    const found = await readWholeBlock(disk, at, end)
    if (found !== undefined) {
      blocks.push(found)
      at += getBlockLength(found.header)
      continue
    }
    const next = await findNextBlock(disk, at + 1, end)
    // Nothing whole follows: the write was torn, and the log still holds its events.
    if (next === undefined && isLast) break
    const header = decodeHeader(await disk.read(at, headerLength))
    if (header !== undefined && at + getBlockLength(header) <= (next ?? end)) {
      // It was whole once: its header tells how many events it has.
      blocks.push({ offset: at, header })
      at += getBlockLength(header)
      continue
    }
    corruptions.push({ file, offset: at, problem: 'bytes without a valid block' })
    at = next ?? end
  }
  return { blocks, corruptions, end: at }
}

/** Reads zeros where the disk cannot read. */
function createLenientReader(file: RandomAccessFile): LenientReader {
  const readOrThrow: ReadBytes = async (offset, length) => {
    try {
      return await file.read(offset, length)
    } catch (error) {
      throw isUnreadableError(error) ? new CorruptionError(getErrorMessage(error)) : error
    }
  }
  return { read: (offset, length) => readWhatIsThere(readOrThrow, offset, length) }
}

type LenientReader = { readonly read: ReadBytes }

async function readWholeBlock(disk: LenientReader, offset: number, end: number): Promise<BlockEntry | undefined> {
  const header = decodeHeader(await disk.read(offset, headerLength))
  if (header === undefined || offset + getBlockLength(header) > end) return undefined
  const { kind } = await checkBlock(header, offset, disk.read)
  return kind === 'intact' || kind === 'repairable' ? { offset, header } : undefined
}

/** Finds the start of the next whole block. */
async function findNextBlock(disk: LenientReader, from: number, end: number): Promise<number | undefined> {
  const magic = Buffer.alloc(4)
  magic.writeUInt32LE(blockMagic)
  for (let start = from; start < end; start += windowBytes) {
    const bytes = await disk.read(start, Math.min(windowBytes + magic.length - 1, end - start))
    for (let at = bytes.indexOf(magic); at !== -1; at = bytes.indexOf(magic, at + 1)) {
      if (await readWholeBlock(disk, start + at, end) !== undefined) return start + at
    }
  }
  return undefined
}
