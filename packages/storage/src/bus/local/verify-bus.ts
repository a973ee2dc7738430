import { getErrorCode } from '@tripline/common/error-code'
import type { FileSystem } from '../../disk/file-system.ts'
import type { Corruption } from '../../log/corruption.ts'
import { readRecordFile, listRecordFiles, getRecordFilePath } from '../../log/record-files.ts'
import { readCommits } from './commit-log.ts'
import { decodeTopicRecord } from './topic-record.ts'
import type { TopicRecord } from './topic-record.ts'

type VerifyOptions = {
  /** Called with the bytes that were read; it may wait, so that others can use the disk. */
  readonly pace?: (byteCount: number) => Promise<void>
}

/** The result of verifying the bus. */
export type BusVerification = {
  readonly topics: readonly TopicVerification[]
  /** The number of committed offsets. */
  readonly commitCount: number
  /** Places where bytes fail their checksum; a torn end of a log is not corruption. */
  readonly corruptions: readonly Corruption[]
}

type TopicVerification = {
  readonly topic: string
  readonly fileCount: number
  readonly messageCount: number
  /** The offset of the first message, and the one behind the last. */
  readonly firstOffset: number
  readonly nextOffset: number
}

/**
 * Reads and checks every file of the bus below a folder. It changes nothing, and a server may run on the files: what it is
 * writing looks like a torn end, and what it removes meanwhile is left out.
 */
export async function verifyBus(disk: FileSystem, { pace = async () => {} }: VerifyOptions = {}): Promise<BusVerification> {
  const { commits, corruptions: commitDamages } = await readCommits(disk)
  const corruptions = [...commitDamages]
  const topics: TopicVerification[] = []
  for (const topic of await disk.list('topics')) {
    const found = await verifyTopic(disk, topic, pace)
    topics.push(found.topic)
    corruptions.push(...found.corruptions)
    const highest = Math.max(0, ...[...commits.values()].map((commit) => (commit.topic === topic ? commit.offset : 0)))
    const { nextOffset, lastFile } = { ...found.topic, ...found }
    if (highest > nextOffset) {
      const problem = `a consumer has committed offset ${highest}, but the topic ends at offset ${nextOffset}`
      corruptions.push({ file: lastFile.path, offset: lastFile.end, problem })
    }
  }
  return { topics, commitCount: commits.size, corruptions }
}

type VerifiedTopic = {
  readonly topic: TopicVerification
  readonly corruptions: readonly Corruption[]
  /** The last file, and where its whole records end. */
  readonly lastFile: { readonly path: string; readonly end: number }
}

async function verifyTopic(disk: FileSystem, topic: string, pace: NonNullable<VerifyOptions['pace']>): Promise<VerifiedTopic> {
  const folder = `topics/${topic}`
  const numbers = await listRecordFiles(disk, folder)
  const corruptions: Corruption[] = []
  let lastFile = { path: folder, end: 0 }
  let firstOffset: number | undefined
  let nextOffset = 0
  let messageCount = 0
  for (const number of numbers) {
    const path = getRecordFilePath(folder, number)
    const contents = await readIfThere(() => readRecordFile(disk, path))
    if (contents === undefined) continue
    const { payloads, corruptions: unreadable } = contents
    await pace(payloads.at(-1)?.end ?? 0)
    corruptions.push(...unreadable)
    for (const { payload, start } of payloads) {
      const record = decodeTopicRecord(payload)
      if (record === undefined) {
        corruptions.push({ file: path, offset: start, problem: 'a record of an unknown kind' })
        continue
      }
      firstOffset ??= record.firstOffset
      const count = countRecord(record)
      const missing = (record.kind === 'trailer' ? record.firstOffset + count : record.firstOffset) - Math.max(nextOffset, firstOffset)
      if (missing > 0) corruptions.push({ file: path, offset: start, problem: `${missing} messages before it are missing` })
      if (record.kind === 'batch') messageCount += count
      nextOffset = Math.max(nextOffset, record.firstOffset + count)
    }
    lastFile = { path, end: payloads.at(-1)?.end ?? 0 }
  }
  const verified = { topic, fileCount: numbers.length, messageCount, firstOffset: firstOffset ?? 0, nextOffset }
  return { topic: verified, corruptions, lastFile }
}

/** Reads a file; undefined where it was removed, because all consumers have committed it. */
async function readIfThere<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read()
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** The number of messages that a record holds, or stands for. */
function countRecord(record: TopicRecord): number {
  if (record.kind === 'head') return 0
  return record.kind === 'batch' ? record.messages.length : record.total.count
}
