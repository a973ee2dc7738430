/**
 * Whether a database error is transient: locked by another process, full or read-only, rather than a bug or a broken
 * disk.
 */
export function isTransientStateError(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return false
  // The lowest byte of an extended code is the primary code.
  return transientCodes.has(error.errcode & 0xff) || error.errcode === shmSize
}

/** SQLITE_BUSY, SQLITE_LOCKED, SQLITE_READONLY, SQLITE_FULL. */
const transientCodes: ReadonlySet<number> = new Set([5, 6, 8, 13])

/**
 * SQLITE_IOERR_SHMSIZE: on a full disk the shared-memory index of the write-ahead log cannot grow, although nothing is
 * broken.
 */
const shmSize = 4_874
