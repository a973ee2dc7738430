import type { RandomAccessFile } from '../file-system.ts'

/** A sync failed: it is unknown which bytes are durable. */
export class SyncError extends Error {
  constructor(cause: unknown) {
    super(`the disk failed to sync: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'SyncError'
  }
}

export async function syncOrFail(file: RandomAccessFile): Promise<void> {
  try {
    await file.sync()
  } catch (error) {
    throw new SyncError(error)
  }
}
