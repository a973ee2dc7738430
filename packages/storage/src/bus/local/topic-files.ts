import type { FileSystem } from '../../disk/file-system.ts'
import { readRecordFile, listRecordFiles, getRecordFilePath } from '../../log/record-files.ts'
import { decodeRecordAt, recordHeaderLength, readRecordLengthAt } from '../../log/record.ts'
import { syncOrFail } from '../../log/sync-error.ts'
import { TenantCounters } from './tenant-counters.ts'
import type { MessageTotal } from './tenant-counters.ts'
import { countMessages, decodeTopicRecord } from './topic-record.ts'

/** A file of a topic: its starting point, and how many of its bytes are durable. */
export type TopicFile = TopicPoint & { readonly number: number; size: number }

/** A point between two messages of a topic: the offset of the next, and the counters of all before it. */
export type TopicPoint = { readonly firstOffset: number; readonly totals: TenantCounters }

type OpenedTopic = { readonly files: readonly TopicFile[]; readonly end: TopicPoint }

/**
 * Finds the files of a topic and its end. Reads the headers of all files and the whole of the last one, so the time
 * does not grow with the size of the topic. The last file is synced, because its readable bytes may not have been.
 */
export async function openTopicFiles(disk: FileSystem, folder: string): Promise<OpenedTopic> {
  const files: TopicFile[] = []
  for (const number of await listRecordFiles(disk, folder)) {
    const { head, size } = await readFileHead(disk, getRecordFilePath(folder, number))
    // The header may be torn because the process ended; its content follows from the file before.
    files.push({ number, size, ...(head ?? await readFileEnd(disk, folder, files.at(-1))) })
  }
  const last = files.at(-1)
  if (last !== undefined) await syncFile(disk, getRecordFilePath(folder, last.number))
  return { files, end: await readFileEnd(disk, folder, last) }
}

/** The counters at an offset: what the files hold before it. */
export async function findTopicPoint(disk: FileSystem, folder: string, files: readonly TopicFile[], offset: number): Promise<TopicPoint> {
  const file = files.findLast(({ firstOffset }) => firstOffset <= offset)
  return file === undefined ? getTopicStart(files) : await countMessagesBefore(disk, folder, file, offset)
}

/** The start of the first file. */
export function getTopicStart(files: readonly TopicFile[]): TopicPoint {
  return files[0] ?? { firstOffset: 0, totals: new TenantCounters() }
}

/** The point behind the last message of a file. */
async function readFileEnd(disk: FileSystem, folder: string, file: TopicFile | undefined): Promise<TopicPoint> {
  return file === undefined ? getTopicStart([]) : await countMessagesBefore(disk, folder, file, Number.POSITIVE_INFINITY)
}

/** Counts the messages of a file before an offset. */
async function countMessagesBefore(disk: FileSystem, folder: string, file: TopicFile, offset: number): Promise<TopicPoint> {
  const totals = file.totals.copy()
  let { firstOffset } = file
  for (const { payload } of (await readRecordFile(disk, getRecordFilePath(folder, file.number))).payloads) {
    const record = decodeTopicRecord(payload)
    if (record === undefined || record.kind === 'head' || record.firstOffset >= offset) continue
    const counted = record.kind === 'batch' ? countMessages(record.messages) : record.total
    // The trailer of a batch that was counted, as far as the offset goes, or a batch that was written again.
    if (Math.min(offset, record.firstOffset + counted.count) <= firstOffset) continue
    const countMax = offset - record.firstOffset
    totals.add(record.tenant, record.kind === 'batch' ? countMessages(record.messages.slice(0, countMax)) : shareTotal(counted, countMax))
    firstOffset = Math.min(offset, record.firstOffset + counted.count)
  }
  return { firstOffset, totals }
}

/** The first messages of a corrupted batch; each has the same share of its cost. */
function shareTotal({ count, bytes }: MessageTotal, countMax: number): MessageTotal {
  return countMax >= count ? { count, bytes } : { count: countMax, bytes: Math.floor(bytes / count) * countMax }
}

async function readFileHead(disk: FileSystem, path: string): Promise<{ readonly head: TopicPoint | undefined; readonly size: number }> {
  const file = await disk.open(path, 'read')
  try {
    const size = await file.size()
    const length = readRecordLengthAt(await file.read(0, recordHeaderLength), 0) ?? 0
    const found = decodeRecordAt(await file.read(0, Math.min(length, size)), 0)
    const record = found === undefined ? undefined : decodeTopicRecord(found.payload)
    if (record?.kind !== 'head') return { head: undefined, size }
    return { head: { firstOffset: record.firstOffset, totals: record.totals }, size }
  } finally {
    await file.close()
  }
}

async function syncFile(disk: FileSystem, path: string): Promise<void> {
  const file = await disk.open(path, 'write')
  try {
    await syncOrFail(file)
  } finally {
    await file.close()
  }
}
