import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { inTransaction } from './database.ts'
import type { Database } from './database.ts'
import type { Tables } from './tables.ts'

/** A step from one shape of the database to the next. Once released it never changes: a later one mends it. */
export type Migration = {
  readonly name: string
  /** In PostgreSQL's words; see `dialect.ts`. */
  readonly statements: readonly string[]
}

/**
 * Brings the database to the shape after the last migration: runs those that it lacks, in order, each in one
 * transaction with the row that says so. Interrupted at any point, it is in the shape before or after one.
 *
 * @throws Error, with nothing changed by the migration it is about, when one fails, when one that was run is not
 *   the one of that number here, or when the database is newer than this program.
 */
export async function migrate({ db, dialect }: Database, migrations: readonly Migration[]): Promise<void> {
  await inTransaction(db, (db) => sql.raw(dialect.definition(versionTable)).execute(db))
  await checkApplied(db, migrations)
  for (const [index, migration] of migrations.entries()) {
    const version = index + 1
    await inTransaction(db, async (db) => {
      // Asked inside, because another process may be about the same.
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

/** @throws Error when the database is not in the shape after the last migration. */
export async function checkSchema({ db }: Database, migrations: readonly Migration[]): Promise<void> {
  await checkApplied(db, migrations)
  if (await isApplied(db, migrations.length)) return
  throw new Error("the database is of an older version; 'tripline serve' brings it to that of this program")
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
      throw new Error(`the database has version ${version} '${name}'; this program knows versions up to ${migrations.length}`)
    }
    if (computeChecksum(migration) !== checksum) throw new Error(`migration ${version} '${name}' was another one when it was run`)
  }
}

async function isApplied(db: Kysely<Tables>, version: number): Promise<boolean> {
  const row = await db.selectFrom('schemaVersions').select('version').where('version', '=', version).executeTakeFirst()
  return row !== undefined
}

function computeChecksum({ name, statements }: Migration): string {
  return createHash('sha256').update(JSON.stringify([name, ...statements])).digest('hex')
}
