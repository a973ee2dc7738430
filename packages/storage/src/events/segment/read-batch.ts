import { CorruptionError } from '../../log/byte-reader.ts'
import type { ReadBytes } from './stored-block-reader.ts'

type WaitingRead = {
  readonly offset: number
  readonly length: number
  readonly resolve: (bytes: Buffer) => void
  readonly reject: (error: unknown) => void
}

/** Bytes between two ranges that are read along; a further read costs as much. */
const gapBytesMax = 32_768
/** Bytes of one read of several ranges. */
const batchBytesMax = 1_048_576

/**
 * Merges reads of close ranges that are asked for at the same time (I/O coalescing): an event of thirty columns is in thirty
 * frames, most of which lie side by side. What is read together shares memory: who keeps a part copies it.
 */
export function createReadBatch(read: ReadBytes): ReadBytes {
  let waiting: WaitingRead[] = []
  const flush = (): void => {
    const due = waiting.sort((one, other) => one.offset - other.offset)
    waiting = []
    for (const group of groupReads(due)) void readGroup(read, group)
  }
  return (offset, length) => new Promise((resolve, reject) => {
    // After all that the present step of the event loop asks for.
    if (waiting.length === 0) process.nextTick(flush)
    waiting.push({ offset, length, resolve, reject })
  })
}

function groupReads(reads: readonly WaitingRead[]): WaitingRead[][] {
  const groups: WaitingRead[][] = []
  let end = -Infinity
  for (const one of reads) {
    const group = groups.at(-1)
    const readEnd = one.offset + one.length
    const isClose = group !== undefined && one.offset <= end + gapBytesMax && readEnd - group[0]!.offset <= batchBytesMax
    if (isClose) group.push(one)
    else groups.push([one])
    end = isClose ? Math.max(end, readEnd) : readEnd
  }
  return groups
}

async function readGroup(read: ReadBytes, group: readonly WaitingRead[]): Promise<void> {
  const start = group[0]!.offset
  const end = Math.max(...group.map(({ offset, length }) => offset + length))
  try {
    const bytes = await read(start, end - start)
    for (const { offset, length, resolve } of group) resolve(bytes.subarray(offset - start, offset - start + length))
  } catch (error) {
    // What lies in between may be what cannot be read.
    if (group.length > 1 && error instanceof CorruptionError) for (const one of group) void readGroup(read, [one])
    else for (const { reject } of group) reject(error)
  }
}
