import { backup, DatabaseSync } from 'node:sqlite'

/** One moment of a state database, kept while others write to it. */
type StateSnapshot = {
  /** Copies the database as it was at that moment, into a file of its own. */
  readonly copyTo: (path: string) => Promise<void>
  readonly close: () => void
}

/** Pages that one step copies: 4 MiB, so that other work of the process gets its turn. */
const pagesPerStep = 1_024

/**
 * Takes a snapshot of a state database: a read transaction, which in WAL mode sees one moment however long it lasts. Writes
 * nothing beside the database but what SQLite needs for readers.
 */
export function openStateSnapshot(path: string): StateSnapshot {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    // The transaction begins with its first read. The copy below runs within it, so no write makes it start again.
    database.exec('begin')
    database.prepare('select count(*) from sqlite_schema').get()
  } catch (error) {
    database.close()
    throw error
  }
  return {
    async copyTo(target) {
      await backup(database, target, { rate: pagesPerStep })
    },
    close: () => database.close(),
  }
}
