import type { FileSystem, RandomAccessFile } from '../disk/file-system.ts'
import { isResourceShortage } from '../disk/file-system.ts'

/** A sync failed: it is unknown which bytes are durable. */
export class SyncError extends Error {
  constructor(cause: unknown) {
    super(`the disk failed to sync: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'SyncError'
  }
}

export function syncOrFail(file: RandomAccessFile): Promise<void> {
  return failOnSyncError(() => file.sync())
}

/** Syncs a folder, so that the names of new and removed files are durable. */
export function syncFolderOrFail(disk: FileSystem, folder: string): Promise<void> {
  return failOnSyncError(() => disk.syncFolder(folder))
}

/**
 * A shortage of resources is no failure of the disk: the caller takes none of the bytes as durable and writes them again.
 */
async function failOnSyncError(sync: () => Promise<void>): Promise<void> {
  try {
    await sync()
  } catch (error) {
    throw isResourceShortage(error) ? error : new SyncError(error)
  }
}
