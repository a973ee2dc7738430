/**
 * Whether a database error is transient: locked by another process, full, read-only, or short of memory or descriptors,
 * rather than a bug or a broken disk.
 */
export function isTransientStateError(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return false
  // The lowest byte of an extended code is the primary code.
  return transientCodes.has(error.errcode & 0xff) || transientExtendedCodes.has(error.errcode)
}

/** SQLITE_BUSY, SQLITE_LOCKED, SQLITE_NOMEM, SQLITE_READONLY, SQLITE_FULL, SQLITE_CANTOPEN (of a temporary file). */
const transientCodes: ReadonlySet<number> = new Set([5, 6, 7, 8, 13, 14])

/**
 * SQLITE_IOERR_NOMEM, and SQLITE_IOERR_SHMSIZE: on a full disk the shared-memory index of the write-ahead log cannot grow,
 * although nothing is broken.
 */
const transientExtendedCodes: ReadonlySet<number> = new Set([3_082, 4_874])
