/**
 * Whether an error of the database may pass by itself: another process that is writing, no room, or no leave to write,
 * rather than a mistake of ours or a broken disk.
 */
export function isTransientStateError(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return false
  // Extended codes have the kind of error in their lowest byte.
  return transientCodes.has(error.errcode & 0xff) || error.errcode === shmSize
}

/** SQLITE_BUSY, SQLITE_LOCKED, SQLITE_READONLY, SQLITE_FULL. */
const transientCodes: ReadonlySet<number> = new Set([5, 6, 8, 13])

/** SQLITE_IOERR_SHMSIZE: on a full disk the index of the write-ahead log cannot grow, though nothing of it is broken. */
const shmSize = 4_874
