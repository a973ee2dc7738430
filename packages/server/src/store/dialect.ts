import { sql } from 'kysely'
import type { Expression, RawBuilder, SqlBool } from 'kysely'

/**
 * What the stores need to know of a database beyond the SQL that all have in common. They are written once, in
 * what SQLite and PostgreSQL both do, by these rules:
 *
 * - **Types.** Migrations are written in PostgreSQL's words; `definition` makes them those of the database. Whole
 *   numbers are `bigint` (PostgreSQL's driver hands them out as texts unless a parser is registered), truth is
 *   0 or 1 in one of them, instants are milliseconds in one of them, JSON and lists are JSON in a `text`, bytes are `bytea`.
 * - **Order of texts** is that of their bytes: SQLite's own, `collate "C"` in PostgreSQL.
 * - **NULL in an order** stands first in one and last in the other, so nothing is sorted by what may be NULL: a
 *   text that lists are sorted by is empty where it is absent.
 * - **LIKE** ignores the case of a to z in SQLite alone, so both sides are folded, in `containsText`. A text that is
 *   looked up whatever its case, such as an email, has a column of its own, folded by us.
 * - **Locks.** SQLite has one writer, which `begin immediate` waits for; PostgreSQL locks rows. So what is read and
 *   then changed is changed under the version it was read with, and a chain is extended by updating its head first.
 * - **Integer division** differs, and `FOR UPDATE`, `SKIP LOCKED` and the text of errors are not shared: none is used.
 *   What may be there already is inserted with `on conflict do nothing`, and the rows inserted are counted.
 */
export type Dialect = {
  /** Makes a statement of a migration one of this database. */
  readonly definition: (statement: string) => string
}

/** Truth in a column: 0 or 1. */
export type Flag = number

/** SQLite's tables are strict, so that a column holds what it says, as in PostgreSQL. */
export const sqliteDialect: Dialect = {
  definition: (statement) => {
    const typed = statement.replaceAll(/\bbigint\b/g, 'integer').replaceAll(/\bbytea\b/g, 'blob')
    return /^create table\b/.test(typed) ? `${typed} strict` : typed
  },
}

/** Whether a column has the text in it, whatever the case of a to z. */
export function containsText(column: Expression<unknown>, text: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`lower(${column}) like ${`%${likeText(text)}%`} escape '\\'`
}

/** Whether a column begins with the text, whatever the case of a to z. */
export function beginsWithText(column: Expression<unknown>, text: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`lower(${column}) like ${`${likeText(text)}%`} escape '\\'`
}

/**
 * Whether a column holds an address in the network. `ip_in_network(address, network)` is a function that `sqlite.ts`
 * gives SQLite; in PostgreSQL it is one of SQL over `inet`.
 */
export function isInNetwork(column: Expression<unknown>, network: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`ip_in_network(${column}, ${network}) = 1`
}

/** `lower` of both databases knows a to z alone (PostgreSQL's under `collate "C"`), so more is not folded here either. */
function likeText(text: string): string {
  const folded = text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
  return folded.replaceAll(/[\\%_]/g, String.raw`\$&`)
}
