import { sql } from 'kysely'
import type { Expression, RawBuilder, SqlBool } from 'kysely'

/**
 * The differences between databases that the stores must respect. The stores are written once, in SQL that SQLite and
 * PostgreSQL share, by these rules:
 *
 * - **Types.** Migrations use PostgreSQL's types; `definition` converts them. Whole numbers are `bigint` (PostgreSQL's
 *   driver returns strings unless a parser is registered), booleans are 0 or 1, instants are milliseconds, both in a
 *   `bigint`; JSON and lists are JSON in a `text`, bytes are `bytea`.
 * - **Text order** is by bytes: SQLite's default, `collate "C"` in PostgreSQL.
 * - **NULL order** differs, so nothing nullable is sorted: an absent text that lists are sorted by is empty.
 * - **LIKE** ignores ASCII case in SQLite; PostgreSQL would fold both sides in `containsText`, which SQLite would pay for with
 *   every row. A text that is looked up ignoring case, such as an email, has a folded column of its own.
 * - **Full text.** `TextIndex` is SQLite's FTS5 with trigrams, for which PostgreSQL has `pg_trgm`.
 * - **Locks.** SQLite has one writer, which `begin immediate` waits for; PostgreSQL locks rows. So reads that lead to
 *   writes are guarded by versions, and a chain is extended by updating its head first.
 * - **Integer division** differs, and `FOR UPDATE`, `SKIP LOCKED` and error texts are not shared: none is used. Rows
 *   that may exist are inserted with `on conflict do nothing`, and the inserted rows are counted.
 */
export type Dialect = {
  /** Converts a statement of a migration to this database. */
  readonly definition: (statement: string) => string
}

/** A boolean column: 0 or 1. */
export type Flag = number

/** SQLite's tables are strict, so columns enforce their types as in PostgreSQL. */
export const sqliteDialect: Dialect = {
  definition: (statement) => {
    const typed = statement.replaceAll(/\bbigint\b/g, 'integer').replaceAll(/\bbytea\b/g, 'blob')
    return /^create table\b/.test(typed) ? `${typed} strict` : typed
  },
}

/** Whether a column contains the text, ignoring ASCII case. */
export function containsText(column: Expression<unknown>, text: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${column} like ${`%${likeText(text)}%`} escape '\\'`
}

/**
 * A condition on time, which holds for most rows of the usual queries. Without this hint SQLite's planner expects a range to be as
 * selective as an equality and reads all alerts of a month for those of one rule. PostgreSQL plans by its statistics: there it is the
 * condition alone.
 */
export function isUsuallyTrue(condition: Expression<SqlBool>): RawBuilder<SqlBool> {
  return sql<SqlBool>`likelihood(${condition}, 0.9)`
}

/** Whether a column begins with the text, ignoring ASCII case. */
export function beginsWithText(column: Expression<unknown>, text: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`lower(${column}) like ${`${likeText(text)}%`} escape '\\'`
}

/**
 * Whether a column holds an address in the network. `sqlite.ts` registers the SQL function `ip_in_network(address,
 * network)`; in PostgreSQL it would be a SQL function over `inet`.
 */
export function isInNetwork(column: Expression<unknown>, network: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`ip_in_network(${column}, ${network}) = 1`
}

/** `lower` folds ASCII only in both databases (in PostgreSQL under `collate "C"`), so this does too. */
function likeText(text: string): string {
  const folded = text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
  return folded.replaceAll(/[\\%_]/g, String.raw`\$&`)
}
