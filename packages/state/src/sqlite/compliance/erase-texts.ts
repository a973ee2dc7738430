import type { SubjectText } from '@tripline/model/compliance/erasure'
import type { TenantId } from '@tripline/model/tenant'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { setImmediate as yieldToOthers, setTimeout as pause } from 'node:timers/promises'
import { limits } from '../../limits.ts'
import { StoreError } from '../../ports/store-error.ts'
import type { DatabaseFile } from '../query/database.ts'
import type { Tables } from '../rows/tables.ts'
import { eraseAddressees } from './erase-addressees.ts'
import { eraseMappedPerson } from './erase-mapped-person.ts'
import { eraseRuleTexts } from './erase-rule-texts.ts'
import { eraseTrailTexts, holdsSalt } from './erase-trail-texts.ts'
import { erasedTables } from './erased-tables.ts'
import type { TableErasure } from './erased-tables.ts'

/** Erases a person's texts from the rows of a tenant; returns how many rows were changed or deleted. */
export async function eraseTexts(db: Kysely<Tables>, { rewrite, ...file }: RewritableFile, whose: ErasedTexts): Promise<number> {
  // What is freed is overwritten; the setting is of the connection.
  await sql.raw('pragma secure_delete = on').execute(db)
  try {
    let count = 0
    for (const erasure of erasedTables) count += await eraseTable(db, erasure, whose)
    count += await eraseAddressees(db, whose)
    count += await eraseMappedPerson(db, whose)
    count += await eraseRuleTexts(db, whose)
    const { rowCount, salts } = await eraseTrailTexts(db, whose)
    count += rowCount
    // The write-ahead log of SQLite still holds the pages as they were.
    await emptyLog(file)
    const isLeft = (text: string): boolean => whose.subject.isIn(text) || holdsSalt(text, salts)
    if (await file.holds(isLeft)) {
      // Bytes of rows that were deleted or moved before: the file is written anew without them. It takes seconds for a gigabyte.
      await rewrite()
      await emptyLog(file)
    }
    return count
  } finally {
    await sql.raw('pragma secure_delete = fast').execute(db)
  }
}

/** @throws StoreError TRANSIENT while others go on reading. */
async function emptyLog({ truncateLog }: Pick<DatabaseFile, 'truncateLog'>): Promise<void> {
  const { truncateAttemptsMax, truncateEveryMs } = limits.erasure
  for (let attempt = 1; !truncateLog(); attempt++) {
    if (attempt === truncateAttemptsMax) throw new StoreError('TRANSIENT', 'the log of the database is being read; retry later')
    await pause(truncateEveryMs)
  }
}

/** The file of the database, and how to write it anew without what was deleted. */
export type RewritableFile = DatabaseFile & { readonly rewrite: () => Promise<void> }

type ErasedTexts = {
  readonly tenant: TenantId
  readonly subject: SubjectText
  readonly auditKey: Uint8Array
  /** Removes the person from what describes a rule, in its text. */
  readonly editRule: (definition: string) => string
}

type Column = { readonly name: string; readonly type: string; readonly pk: number }
type TextRow = { readonly rowid: number; readonly [column: string]: unknown }

async function eraseTable(db: Kysely<Tables>, erasure: TableErasure, whose: ErasedTexts): Promise<number> {
  const { tenant, subject } = whose
  const { rows: columns } = await sql<Column>`select name, type, pk from pragma_table_info(${erasure.table})`.execute(db)
  const isErased = ({ name, type, pk }: Column): boolean =>
    type.toLowerCase() === 'text' && name !== 'tenant_id' && (pk === 0 || erasure.how === 'delete')
  const names = columns.filter(isErased).map(({ name }) => name).filter((name) => erasure.columns?.includes(name) ?? true)
  let count = 0
  for (let after = -1; ;) {
    // Named as in the database: the results of raw statements pass the plugin that renames columns.
    const selected = names.map((name, i) => sql`${sql.ref(name)} as ${sql.ref(`c${i}`)}`)
    const { rows } = await sql<TextRow>`select rowid as rowid, ${sql.join(selected)} from ${sql.table(erasure.table)}
      where tenant_id = ${tenant} and rowid > ${after} order by rowid limit ${limits.erasure.rowsAtOnce}`.execute(db)
    const last = rows.at(-1)
    if (last === undefined) return count
    after = last.rowid
    const found = rows.filter((row) => names.some((_, i) => isNamed(subject, row[`c${i}`])))
    if (found.length > 0) await db.transaction().execute((db) => eraseRows(db, erasure, { ...whose, found, names }))
    count += found.length
    await yieldToOthers()
  }
}

function isNamed(subject: SubjectText, value: unknown): boolean {
  return typeof value === 'string' && subject.isIn(value)
}

type FoundRows = ErasedTexts & { readonly found: readonly TextRow[]; readonly names: readonly string[] }

async function eraseRows(
  db: Kysely<Tables>, { table, how, deletesAlso, unique }: TableErasure, { found, names, subject, tenant }: FoundRows,
): Promise<void> {
  for (const row of found) {
    if (how === 'replace') {
      const changes = names.flatMap((name, i) => {
        const value = row[`c${i}`]
        if (typeof value !== 'string' || !subject.isIn(value)) return []
        const replaced = subject.replaceIn(value)
        return [sql`${sql.ref(name)} = ${name === unique ? `${replaced} ${row.rowid}` : replaced}`]
      })
      await sql`update ${sql.table(table)} set ${sql.join(changes)} where rowid = ${row.rowid}`.execute(db)
      continue
    }
    if (deletesAlso !== undefined) {
      const key = row[`c${names.indexOf(deletesAlso.by)}`]
      const belongs = sql`tenant_id = ${tenant} and ${sql.ref(deletesAlso.column)} = ${key}`
      await sql`delete from ${sql.table(deletesAlso.table)} where ${belongs}`.execute(db)
    }
    await sql`delete from ${sql.table(table)} where rowid = ${row.rowid}`.execute(db)
  }
}
