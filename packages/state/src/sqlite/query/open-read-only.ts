import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/** Opens a database for reading, and leaves the files beside it as they are (`locateReadOnly`). */
export function openReadOnly(path: string): DatabaseSync {
  return new DatabaseSync(locateReadOnly(path), { readOnly: true })
}

/**
 * The address at which a connection that only reads leaves no files behind: SQLite would make those of the write-ahead log beside
 * the database, and not remove them. Without a log, no other process has the database open, and it is read as a file that does
 * not change. Where a process begins to write to it meanwhile, a reader can take what it reads for damage, but changes nothing.
 */
export function locateReadOnly(path: string): URL {
  const url = pathToFileURL(path)
  if (!existsSync(`${path}-wal`)) url.searchParams.set('immutable', '1')
  return url
}
