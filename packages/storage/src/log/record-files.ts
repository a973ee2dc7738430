import type { FileSystem } from '../disk/file-system.ts'
import type { Corruption } from './corruption.ts'
import { findRecord, decodeRecordAt } from './record.ts'

/** The path of a record file. */
export function getRecordFilePath(folder: string, number: number): string {
  return `${folder}/${String(number).padStart(8, '0')}.log`
}

/** The numbers of the record files in a folder, ascending. */
export async function listRecordFiles(disk: FileSystem, folder: string): Promise<number[]> {
  const names = await disk.list(folder)
  return names.flatMap((name) => (/^\d{8,}\.log$/.test(name) ? [Number.parseInt(name, 10)] : [])).sort((a, b) => a - b)
}

/** A valid payload, and where its record begins and ends. */
type LocatedPayload = { readonly payload: Buffer; readonly start: number; readonly end: number }

/** The contents of a record file. */
type RecordFileContents = {
  readonly payloads: readonly LocatedPayload[]
  readonly corruptions: readonly Corruption[]
  /** Whether bytes follow the last valid record. */
  readonly isEndTorn: boolean
}

/**
 * Reads a record file: all valid records, including those behind corrupted bytes. A torn tail was never acknowledged
 * and is skipped, and so are invalid bytes behind it.
 */
export async function readRecordFile(disk: FileSystem, path: string): Promise<RecordFileContents> {
  const file = await disk.open(path, 'read')
  try {
    return splitRecords(await file.read(0, await file.size()), path)
  } finally {
    await file.close()
  }
}

function splitRecords(bytes: Buffer, path: string): RecordFileContents {
  const payloads: LocatedPayload[] = []
  const corruptions: Corruption[] = []
  for (let at = 0; at < bytes.length;) {
    const found = decodeRecordAt(bytes, at)
    if (found === undefined) {
      const next = findRecord(bytes, at + 1)
      if (next === undefined) break
      corruptions.push({ file: path, offset: at, problem: 'bytes without a valid record' })
      at = next
    } else {
      payloads.push({ ...found, start: at })
      at = found.end
    }
  }
  return { payloads, corruptions, isEndTorn: (payloads.at(-1)?.end ?? 0) < bytes.length }
}
