import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { limits } from './limits.ts'

/** An exclusive lock on a data directory. */
export type DataDirLock = { readonly release: () => void }

/** Another process has locked the data directory. */
export class DataDirInUseError extends Error {
  constructor(cause: unknown) {
    super('another process has its bus and events open', { cause })
    this.name = 'DataDirInUseError'
  }
}

/**
 * Locks a data directory: only one process at a time may write the bus and the events, while several may use the state.
 * The lock is SQLite's lock on an empty file, `held`, which the system releases when the process ends in any way. Waits
 * a moment for a process that is ending.
 *
 * @throws DataDirInUseError; the database's error if the file cannot be opened.
 */
export function lockDataDir(path: string): DataDirLock {
  const file = join(path, 'held')
  closeSync(openSync(file, 'a', 0o600))
  const database = new DatabaseSync(file, { timeout: limits.state.holdMs })
  try {
    // Nothing is ever written, so no journal file is needed.
    database.exec('pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    database.close()
    throw isBusy(error) ? new DataDirInUseError(error) : error
  }
  return { release: () => database.close() }
}

/** SQLITE_BUSY. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5
}
