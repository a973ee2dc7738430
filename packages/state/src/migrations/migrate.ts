import { getErrorMessage } from '@tripline/common/error-message'
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Migration as MigrationStep } from 'kysely/migration'
import { inTransaction } from '../sqlite/query/database.ts'
import type { Database } from '../sqlite/query/database.ts'
import type { Tables } from '../sqlite/rows/tables.ts'

/** A step from one schema version to the next. Once released it never changes; a later migration corrects it. */
export type Migration = {
  readonly name: string
  /** In PostgreSQL's types; see `dialect.ts`. */
  readonly statements: readonly string[]
}

/** Migrations by schema version, which sorts as they run. */
export type Migrations = { readonly [version: string]: Migration }

/** The database was written by a newer program. */
export class NewerSchemaError extends Error {}

const checksumTable = `create table if not exists migration_checksums (
  name text primary key,
  checksum text not null
)`

/**
 * Migrates the database to the last schema version with kysely's `Migrator`, in one transaction: interrupted at any point, the
 * schema is that before or after all missing migrations, and of two processes one waits for the other.
 *
 * @throws Error when a migration fails, which changes nothing, when an applied migration differs from the one of that
 *   version here, or when the database is newer than this program.
 */
export async function migrate(database: Database, migrations: Migrations): Promise<void> {
  if (await findMissing(database.db, migrations) === 0) return
  await inTransaction(database.db, async (db) => {
    await sql.raw(database.dialect.definition(checksumTable)).execute(db)
    const takenOver = await takeOverNumbers(db, migrations)
    const provider = { getMigrations: async () => toSteps(database, migrations, takenOver) }
    const { error, results } = await new Migrator({ db, provider }).migrateToLatest()
    if (error === undefined) return
    const failed = results?.find(({ status }) => status === 'Error')?.migrationName
    throw new Error(`the migration ${failed ?? 'of the database'} failed and changed nothing: ${getErrorMessage(error)}`, { cause: error })
  })
}

/** @throws Error when the database does not have the last schema version. */
export async function checkSchema({ db }: Database, migrations: Migrations): Promise<void> {
  if (await findMissing(db, migrations) === 0) return
  throw new Error("the database has an older schema; start 'tripline serve' once to migrate it")
}

/** @throws NewerSchemaError when the database has a schema version that this program does not know. */
export async function checkNotNewer({ db }: Database, migrations: Migrations): Promise<void> {
  if ((await listTables(db)).has('kysely_migration')) await readApplied(db, migrations)
}

/**
 * The number of migrations that the database lacks.
 *
 * @throws NewerSchemaError for an applied one that this program does not know, Error for one that differs.
 */
async function findMissing(db: Kysely<Tables>, migrations: Migrations): Promise<number> {
  const tables = await listTables(db)
  if (!tables.has('kysely_migration') || !tables.has('migration_checksums')) {
    if (tables.has('schema_versions')) await readNumbers(db, migrations)
    return Object.keys(migrations).length
  }
  const applied = await readApplied(db, migrations)
  const checksums = await db.selectFrom('migrationChecksums').selectAll().execute()
  const checksumOf = new Map(checksums.map(({ name, checksum }) => [name, checksum]))
  for (const name of applied) checkApplied(name, migrations[name], checksumOf.get(name))
  return Object.keys(migrations).length - applied.length
}

async function listTables(db: Kysely<Tables>): Promise<ReadonlySet<string>> {
  return new Set((await db.introspection.getTables({ withInternalKyselyTables: true })).map(({ name }) => name))
}

/** The applied migrations in their order. @throws NewerSchemaError, with the last of those that this program does not know. */
async function readApplied(db: Kysely<Tables>, migrations: Migrations): Promise<readonly string[]> {
  const applied = (await db.selectFrom('kyselyMigration').select('name').orderBy('name').execute()).map(({ name }) => name)
  const unknown = applied.findLast((name) => migrations[name] === undefined)
  if (unknown !== undefined) checkApplied(unknown, undefined, undefined)
  return applied
}

/** The migrations as steps of the `Migrator`; those that were taken over are only recorded. */
function toSteps(
  { dialect }: Pick<Database, 'dialect'>, migrations: Migrations, takenOver: ReadonlySet<string>,
): Record<string, MigrationStep> {
  return Object.fromEntries(Object.entries(migrations).map(([version, migration]) => {
    const up = async (db: Kysely<Tables>): Promise<void> => {
      const statements = takenOver.has(version) ? [] : migration.statements
      for (const statement of statements) await sql.raw(dialect.definition(statement)).execute(db)
      await db.insertInto('migrationChecksums').values({ name: version, checksum: computeChecksum(migration) }).execute()
    }
    return [version, { up }]
  }))
}

const retiredNumber = 1_000_000

/**
 * Release 0.1.0 numbered its migrations in a table of its own. They are recorded under their names once, and a number that no
 * program knows stays behind, so that an older program refuses the database as newer.
 */
async function takeOverNumbers(db: Kysely<Tables>, migrations: Migrations): Promise<ReadonlySet<string>> {
  const tables = await db.introspection.getTables()
  if (!tables.some(({ name }) => name === 'schema_versions')) return new Set()
  const versions = await readNumbers(db, migrations)
  await db.deleteFrom('schemaVersions').execute()
  await db.insertInto('schemaVersions').values({ version: retiredNumber, name: 'recorded by name', checksum: '' }).execute()
  return versions
}

/** The schema versions for the numbers that release 0.1.0 recorded. @throws as `findMissing`. */
async function readNumbers(db: Kysely<Tables>, migrations: Migrations): Promise<ReadonlySet<string>> {
  const names = Object.keys(migrations).sort()
  const rows = await db.selectFrom('schemaVersions').selectAll().where('version', '<', retiredNumber).orderBy('version').execute()
  return new Set(rows.map(({ version, name, checksum }) => {
    const known = names[version - 1]
    checkApplied(known ?? `${version} '${name}'`, known === undefined ? undefined : migrations[known], checksum)
    return known ?? ''
  }))
}

function checkApplied(version: string, migration: Migration | undefined, checksum: string | undefined): void {
  if (migration === undefined) {
    const found = `the database has schema version ${version}, which this program does not know`
    throw new NewerSchemaError(`${found}; start the newer program, or restore a backup from before the upgrade`)
  }
  if (computeChecksum(migration) !== checksum) {
    throw new Error(`the migration ${version} differs from the one that was applied; start the program that applied it`)
  }
}

function computeChecksum({ name, statements }: Migration): string {
  return createHash('sha256').update(JSON.stringify([name, ...statements])).digest('hex')
}
