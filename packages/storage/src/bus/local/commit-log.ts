import { getErrorCode } from '@tripline/common/error-code'
import type { FileSystem } from '../../disk/file-system.ts'
import type { Corruption } from '../../log/corruption.ts'
import { ByteReader } from '../../log/byte-reader.ts'
import { encodeRecord } from '../../log/record.ts'
import { readRecordFile, listRecordFiles, getRecordFilePath } from '../../log/record-files.ts'
import { WriteAheadLog } from '../../log/write-ahead-log.ts'
import type { WriteAheadLogOptions } from '../../log/write-ahead-log.ts'

const folder = 'commits'
const version = 1

/** The committed offset of a consumer of a topic. */
type Commit = { readonly topic: string; readonly consumer: string; readonly offset: number }

type CommitLogOptions = Pick<WriteAheadLogOptions, 'fileBytesMax' | 'createError'>

/** The committed offsets of all consumers, in a write-ahead log whose files each begin with a full checkpoint. */
export class CommitLog {
  readonly #log: WriteAheadLog
  readonly #commits: Map<string, Commit>
  readonly corruptions: readonly Corruption[]

  private constructor(disk: FileSystem, options: CommitLogOptions, found: CommitLogContents) {
    this.#commits = found.commits
    this.corruptions = found.corruptions
    const checkpoint = () => encodeCommits([...this.#commits.values()])
    this.#log = new WriteAheadLog(disk, { ...options, folder, numbers: found.numbers, checkpoint })
  }

  static async open(disk: FileSystem, options: CommitLogOptions): Promise<CommitLog> {
    await disk.makeFolder(folder)
    return new CommitLog(disk, options, await readCommits(disk))
  }

  /** The committed offset of a consumer; undefined when it never committed. */
  getOffset(topic: string, consumer: string): number | undefined {
    return this.#commits.get(keyOf(topic, consumer))?.offset
  }

  /**
   * The highest offset that any consumer of a topic has committed. The topic continues behind it, even where its files
   * lost messages.
   */
  getHighestOffset(topic: string): number {
    return Math.max(0, ...[...this.#commits.values()].flatMap((commit) => (commit.topic === topic ? [commit.offset] : [])))
  }

  async commit(commit: Commit): Promise<void> {
    const bytes = encodeCommits([commit])
    let fileNumber = 0
    await this.#log.append({
      byteCount: bytes.length,
      encode: () => bytes,
      onDurable: (place) => {
        advanceCommit(this.#commits, commit)
        fileNumber = place.fileNumber
      },
    })
    // The checkpoint at the beginning of this file repeats what earlier files hold.
    await this.#log.release(fileNumber)
  }

  close(): Promise<void> {
    return this.#log.close()
  }
}

type CommitLogContents = {
  readonly commits: Map<string, Commit>
  readonly numbers: readonly number[]
  readonly corruptions: readonly Corruption[]
}

const readAttemptsMax = 5

/** Reads all committed offsets and the corruption found on the way. */
export async function readCommits(disk: FileSystem): Promise<CommitLogContents> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await readCommitFiles(disk)
    } catch (error) {
      // A running server removes a file once the next one repeats what it holds.
      if (getErrorCode(error) !== 'ENOENT' || attempt === readAttemptsMax) throw error
    }
  }
}

async function readCommitFiles(disk: FileSystem): Promise<CommitLogContents> {
  const numbers = await listRecordFiles(disk, folder)
  const commits = new Map<string, Commit>()
  const corruptions: Corruption[] = []
  for (const number of numbers) {
    const contents = await readRecordFile(disk, getRecordFilePath(folder, number))
    corruptions.push(...contents.corruptions)
    for (const { payload } of contents.payloads) for (const commit of decodeCommits(payload)) advanceCommit(commits, commit)
  }
  return { commits, numbers, corruptions }
}

/** A committed offset never moves back. */
function advanceCommit(commits: Map<string, Commit>, commit: Commit): void {
  const key = keyOf(commit.topic, commit.consumer)
  if (commit.offset > (commits.get(key)?.offset ?? -1)) commits.set(key, commit)
}

function encodeCommits(commits: readonly Commit[]): Buffer {
  return encodeRecord((writer) => {
    writer.u8(version)
    writer.bytes(Buffer.from(JSON.stringify(commits), 'utf8'))
  })
}

function decodeCommits(payload: Buffer): readonly Commit[] {
  const reader = new ByteReader(payload)
  if (reader.u8() !== version) return []
  return JSON.parse(reader.bytes(reader.left).toString('utf8')) as readonly Commit[]
}

function keyOf(topic: string, consumer: string): string {
  return JSON.stringify([topic, consumer])
}
