import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/**
 * Opens a database for reading, and leaves the files beside it as they are: SQLite would make those of the write-ahead log, and
 * not remove them. Without a log, no other process has the database open.
 */
export function openReadOnly(path: string): DatabaseSync {
  const url = pathToFileURL(path)
  if (!existsSync(`${path}-wal`)) url.searchParams.set('immutable', '1')
  return new DatabaseSync(url, { readOnly: true })
}
