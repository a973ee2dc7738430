import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { inTransaction } from '../sqlite/query/database.ts'
import type { Tables } from '../sqlite/rows/tables.ts'
import { fillAlertTexts } from './0060-0095/0060-short-texts.ts'

/**
 * Fills the index of the alerts' texts anew if it is not of their rows: `vacuum`, which operators may run, numbers rows anew
 * wherever one was removed before.
 */
export async function repairTextIndex(db: Kysely<Tables>): Promise<void> {
  const { rows: [last] } = await sql<{ readonly row: number | null; readonly indexed: number | null }>`
    select (select max(rowid) from alerts) as row, (select max(id) from alert_texts_docsize) as indexed`.execute(db)
  if (last === undefined || last.row === last.indexed) return
  await inTransaction(db, async (db) => {
    await sql`insert into alert_texts (alert_texts) values ('delete-all')`.execute(db)
    await sql.raw(fillAlertTexts).execute(db)
  })
}
