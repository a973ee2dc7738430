import { existsSync } from 'node:fs'
import { getStateFile } from './data-dir.ts'
import { checkNotNewer } from './migrations/migrate.ts'
import { migrations } from './migrations/migrations.ts'
import { openDatabase } from './sqlite/query/database.ts'

/**
 * Checks that this program knows the schema of the state in a data directory, if there is one; writes nothing.
 *
 * @throws NewerSchemaError for the state of a newer program, the database's error for one that cannot be read.
 */
export async function checkStateVersion(dataDir: string): Promise<void> {
  const path = getStateFile(dataDir)
  if (!existsSync(path)) return
  const database = openDatabase({ path, isReadOnly: true })
  try {
    await checkNotNewer(database, migrations)
  } finally {
    await database.db.destroy()
  }
}
