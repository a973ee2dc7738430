import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { inTransaction } from '../sqlite/query/database.ts'
import type { Database } from '../sqlite/query/database.ts'
import type { Tables } from '../sqlite/rows/tables.ts'

/** A step from one schema version to the next. Once released it never changes; a later migration corrects it. */
export type Migration = {
  readonly name: string
  /** In PostgreSQL's types; see `dialect.ts`. */
  readonly statements: readonly string[]
}

/** The database was written by a newer program. */
export class NewerSchemaError extends Error {}

/**
 * Migrates the database to the last schema version: runs the missing migrations in order, each in one transaction with
 * its version row. Interrupted at any point, the schema is before or after one migration.
 *
 * @throws Error when a migration fails, which changes nothing, when an applied migration differs from the one of that
 *   number here, or when the database is newer than this program.
 */
export async function migrate({ db, dialect }: Database, migrations: readonly Migration[]): Promise<void> {
  await inTransaction(db, (db) => sql.raw(dialect.definition(versionTable)).execute(db))
  await checkApplied(db, migrations)
  for (const [index, migration] of migrations.entries()) {
    const version = index + 1
    await inTransaction(db, async (db) => {
      // Checked inside the transaction, because another process may migrate too.
      if (await isApplied(db, version)) return
      for (const statement of migration.statements) await sql.raw(dialect.definition(statement)).execute(db)
      await db
        .insertInto('schemaVersions')
        .values({ version, name: migration.name, checksum: computeChecksum(migration) })
        .execute()
    }).catch((error: unknown) => {
      throw new Error(`migration ${version} '${migration.name}' failed and changed nothing: ${String(error)}`, { cause: error })
    })
  }
}

/** @throws Error when the database does not have the last schema version. */
export async function checkSchema({ db }: Database, migrations: readonly Migration[]): Promise<void> {
  await checkApplied(db, migrations)
  if (await isApplied(db, migrations.length)) return
  throw new Error("the database has an older schema; start 'tripline serve' once to migrate it")
}

const versionTable = `create table if not exists schema_versions (
  version bigint primary key,
  name text not null,
  checksum text not null
)`

async function checkApplied(db: Kysely<Tables>, migrations: readonly Migration[]): Promise<void> {
  const applied = await db.selectFrom('schemaVersions').selectAll().orderBy('version').execute()
  for (const { version, name, checksum } of applied) {
    const migration = migrations[version - 1]
    if (migration === undefined) {
      const found = `the database has schema version ${version} '${name}', but this program supports versions up to ${migrations.length}`
      throw new NewerSchemaError(`${found}; start the newer program, or restore a backup from before the upgrade`)
    }
    if (computeChecksum(migration) !== checksum) throw new Error(`migration ${version} '${name}' differs from the one that was applied`)
  }
}

async function isApplied(db: Kysely<Tables>, version: number): Promise<boolean> {
  const row = await db.selectFrom('schemaVersions').select('version').where('version', '=', version).executeTakeFirst()
  return row !== undefined
}

function computeChecksum({ name, statements }: Migration): string {
  return createHash('sha256').update(JSON.stringify([name, ...statements])).digest('hex')
}
