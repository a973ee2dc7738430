import type { FileSystem } from '../../disk/file-system.ts'
import { writeFully } from '../../disk/file-system.ts'
import { SyncError, syncOrFail } from '../../log/sync-error.ts'

type FileAppend = { readonly path: string; readonly bytes: Buffer; readonly offset: number }

const writeAttemptsMax = 3

/** Appends a block and reads it back: the log, which still holds its events, is dropped only after this. */
export async function appendAndCheck(disk: FileSystem, append: FileAppend): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await appendSafely(disk, append)
    const file = await disk.open(append.path, 'read')
    try {
      if (append.bytes.equals(await file.read(append.offset, append.bytes.length))) return
    } finally {
      await file.close()
    }
    if (attempt === writeAttemptsMax) throw new SyncError(new Error(`${append.path} does not hold what was written to it`))
  }
}

/** Appends and syncs; first cuts off what a failed attempt left. */
export async function appendSafely(disk: FileSystem, { path, bytes, offset }: FileAppend): Promise<void> {
  const file = await disk.open(path, 'write')
  try {
    if (await file.size() > offset) await file.truncate(offset)
    await writeFully(file, bytes, offset)
    await syncOrFail(file)
  } finally {
    await file.close()
  }
}
