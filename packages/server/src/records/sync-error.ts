import type { RandomAccessFile } from '../file-system.ts'

/** What a disk says when it could not make bytes safe: afterwards nobody knows which of them are. */
export class SyncError extends Error {
  constructor(cause: unknown) {
    super(`the disk did not make bytes safe: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
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
