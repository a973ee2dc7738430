import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { limits } from '../limits.ts'

/** A data directory of which this process alone opens bus and events, until it lets go. */
export type DataDirLock = { readonly release: () => void }

/** Says that another process has a data directory. */
export class DataDirInUseError extends Error {
  constructor(cause: unknown) {
    super('another process has its bus and events open', { cause })
    this.name = 'DataDirInUseError'
  }
}

/**
 * Takes hold of a data directory: bus and events are written by one process at a time, where the state may have several.
 * The hold is SQLite's lock on an empty file, `held`, which the system takes back from a process that ends, however it does.
 * Waits a moment for one that is just ending.
 *
 * @throws DataDirInUseError; the database's error where the file cannot be opened.
 */
export function lockDataDir(path: string): DataDirLock {
  const file = join(path, 'held')
  closeSync(openSync(file, 'a', 0o600))
  const database = new DatabaseSync(file, { timeout: limits.state.holdMs })
  try {
    // Nothing is ever written, so no journal need stand beside it.
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
