import { isResourceShortage } from '../disk/file-system.ts'
import type { FileSystem } from '../disk/file-system.ts'
import type { Corruption } from '../log/corruption.ts'
import { readRecordFile, listRecordFiles, getRecordFilePath } from '../log/record-files.ts'
import { WriteAheadLog } from '../log/write-ahead-log.ts'
import type { RejectionCode } from '../log/write-ahead-log.ts'
import { EventStoreError } from './event-store.ts'
import { decodeLogRecord, encodeLogRecord } from './log-record.ts'
import type { LogRecord } from './log-record.ts'

export const logFolder = 'log'

type EventLogOptions = {
  /** The numbers of the existing files, ascending. */
  readonly numbers: readonly number[]
  /** What each new file begins with. */
  readonly checkpoint: () => readonly LogRecord[]
  readonly fileBytesMax: number
}

/** Opens the write-ahead log of the event store. */
export function openEventLog(disk: FileSystem, { numbers, checkpoint, fileBytesMax }: EventLogOptions): WriteAheadLog {
  return new WriteAheadLog(disk, {
    folder: logFolder,
    numbers,
    checkpoint: () => Buffer.concat(checkpoint().map(encodeLogRecord)),
    fileBytesMax,
    // The pipeline appends events again by their mark, so those that a restart finds are not stored twice.
    createError: (code, cause) => new EventStoreError(code === 'FULL' ? code : 'FAILED', describeRefusal(code, cause), { cause }),
  })
}

/** Appends a record to the log. `onSafe` is called before the promise resolves, in the order of the calls. */
export function appendToLog(log: WriteAheadLog, record: LogRecord, onSafe: (fileNumber: number) => void): Promise<void> {
  const bytes = encodeLogRecord(record)
  return log.append({ byteCount: bytes.length, encode: () => bytes, onDurable: ({ fileNumber }) => onSafe(fileNumber) })
}

/** The content of a log file. */
export type LogContents = {
  /** The whole records, each with the byte at which it starts. */
  readonly records: readonly { readonly record: LogRecord; readonly start: number }[]
  readonly corruptions: readonly Corruption[]
  /** Whether bytes follow the last whole record: a write that a crash cut, or a corrupted record. */
  readonly isEndTorn: boolean
}

/** The numbers of the log files, ascending. */
export function listLogNumbers(disk: FileSystem): Promise<number[]> {
  return listRecordFiles(disk, logFolder)
}

/** Reads a log file: its whole records, and the corruption between them. */
export async function readLogFile(disk: FileSystem, number: number): Promise<LogContents> {
  const path = getRecordFilePath(logFolder, number)
  const { payloads, corruptions, isEndTorn } = await readRecordFile(disk, path)
  const records: { record: LogRecord; start: number }[] = []
  const unknown: Corruption[] = []
  for (const { payload, start } of payloads) {
    const record = decodeLogRecord(payload)
    if (record === undefined) unknown.push({ file: path, offset: start, problem: 'a record of an unknown kind' })
    else records.push({ record, start })
  }
  return { records, corruptions: [...corruptions, ...unknown].sort((a, b) => a.offset - b.offset), isEndTorn }
}

function describeRefusal(code: RejectionCode, cause: unknown): string {
  if (isResourceShortage(cause)) return 'the process is short of file descriptors or memory; retry later'
  if (code === 'FULL') return 'the disk is full; free some space and retry'
  return `the event store stopped after a disk failure; restart the server: ${cause instanceof Error ? cause.message : String(cause)}`
}
