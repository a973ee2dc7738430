import type { Comparison, Filter } from '@tripline/model/lists/filter'
import { sql } from 'kysely'
import type { Expression, Kysely, RawBuilder, SqlBool } from 'kysely'
import { limits } from '../../limits.ts'
import type { ListSelection } from '../../ports/list-query.ts'
import type { Tables } from '../rows/tables.ts'

/**
 * A trigram index, as in "Regular Expression Matching with a Trigram Index" by Russ Cox: a full-text table that tells for each
 * three characters in a row which rows of `of` may hold them. It has no positions, and one for all tenants, so what it finds is
 * compared with the rows.
 */
export type TextIndex = {
  readonly table: string
  /** Its trigrams, with the number of rows that have each. */
  readonly terms: string
  readonly of: string
  /** The fields of the list whose columns are indexed; the texts that the list is searched in are among them. */
  readonly fields: readonly string[]
}

/** What the index tells of a selection. */
type IndexedSelection = {
  /** The candidates to select from instead of the table, if they are few: all rows of the selection, and others. */
  readonly from: RawBuilder<unknown> | undefined
  /** How many rows of the selection are among the newest candidates. */
  readonly found: number
}

/** Candidates that are read for a total where most of them count: more than twice as many as the bound are needed only by chance. */
const candidatesMax = 4 * limits.state.countedMax

/** Asks the index for the rows of a selection; undefined if the selection needs no text that it can find. */
export async function findByText(
  db: Kysely<Tables>, index: TextIndex, selection: ListSelection, conditions: readonly Expression<SqlBool>[],
): Promise<IndexedSelection | undefined> {
  const texts = listRequiredTexts(index, selection)
  const match = toTrigramQuery(texts) ?? await findShortQuery(db, index, texts)
  if (match === undefined) return undefined
  const [table, of] = [sql.table(index.table), sql.table(index.of)]
  const candidates = sql`select rowid from ${table} where ${table} match ${match} order by rowid desc`
  const join = (candidates: RawBuilder<unknown>) => sql`(${candidates}) as candidates cross join ${of} on ${of}.rowid = candidates.rowid`
  const newest = join(sql`${candidates} limit ${limits.state.countedMax + 1}`)
  const all = sql.join(conditions, sql` and `)
  const counting = sql<{ readonly candidates: number; readonly found: number | null }>`
    select count(*) as candidates, sum(${all}) as found from ${newest}`
  const [{ candidates: count, found } = { candidates: 0, found: 0 }] = (await counting.execute(db)).rows
  const { countedMax } = limits.state
  if (count <= countedMax) return { from: join(candidates), found: found ?? 0 }
  // Where most candidates are rows of the selection, some more of them reach the bound, and no rows are read for the total.
  const isCommon = found !== null && found > countedMax / 2 && found <= countedMax
  if (!isCommon) return { from: undefined, found: found ?? 0 }
  const further = join(sql`${candidates} limit ${candidatesMax}`)
  const reaching = sql<{ readonly found: number }>`
    select count(*) as found from (select 1 from ${further} where ${all} limit ${countedMax + 1}) as reached`
  return { from: undefined, found: (await reaching.execute(db)).rows[0]?.found ?? found }
}

/** The texts that every row of a selection has in an indexed column. */
function listRequiredTexts(index: TextIndex, { where = [], text = '' }: ListSelection): readonly string[] {
  return [text, ...where.flatMap((filter) => listTextsOfFilter(index, filter))]
}

function listTextsOfFilter(index: TextIndex, filter: Filter): readonly string[] {
  if ('and' in filter) return filter.and.flatMap((part) => listTextsOfFilter(index, part))
  if ('or' in filter) {
    const [first = [], ...others] = filter.or.map((part) => listTextsOfFilter(index, part))
    return first.filter((text) => others.every((texts) => texts.includes(text)))
  }
  return 'field' in filter && isIndexed(index, filter) ? [String(filter.value)] : []
}

function isIndexed({ fields }: TextIndex, { field, operator }: Comparison): boolean {
  return fields.includes(field) && (operator === 'contains' || operator === 'prefix')
}

/** More trigrams of a text would exclude few rows, and each costs time. */
const trigramsMax = 32

/** Asks for all trigrams of the texts; undefined if they have none. */
function toTrigramQuery(texts: readonly string[]): string | undefined {
  const trigrams = new Set(texts.flatMap((text) => {
    const characters = [...text]
    return characters.slice(2).map((_, i) => characters.slice(i, i + 3).join(''))
  }))
  // SQLite ends a query at a NUL, and indexes texts as if they had none.
  const usable = [...trigrams].filter((trigram) => !trigram.includes('\0')).slice(0, trigramsMax)
  return usable.length === 0 ? undefined : usable.map(quote).join(' AND ')
}

/** More trigrams are of a text that most rows have. */
const beginningsMax = 256
/** Trigrams that are read at once: reading one counts its rows, some milliseconds where all have it. */
const beginningsRead = 8

/**
 * Asks for all trigrams that begin with a text of one or two characters; for one of them, if it alone has more rows than are
 * counted. Undefined if there is no such text, or if it has so many that reading rows in their order finds a page soon.
 */
async function findShortQuery(db: Kysely<Tables>, index: TextIndex, texts: readonly string[]): Promise<string | undefined> {
  const text = texts.map(foldCase).find((folded) => folded !== undefined && folded !== '' && !folded.includes('\0'))
  if (text === undefined) return undefined
  const known: string[] = []
  for (let after = text; known.length <= beginningsMax;) {
    const { rows } = await sql<{ readonly term: string; readonly doc: number }>`
      select term, doc from ${sql.table(index.terms)} where term >= ${after} and term <= ${`${text}\u{10ffff}`}
      order by term limit ${beginningsRead}`.execute(db)
    const common = rows.find(({ doc }) => doc > limits.state.countedMax)
    if (common !== undefined) return quote(common.term)
    known.push(...rows.map(({ term }) => term))
    // What no row has is asked for, too: the answer is that there is none.
    if (rows.length < beginningsRead) return known.length === 0 ? quote(`${text}\n\n`.slice(0, 3)) : known.map(quote).join(' OR ')
    after = `${rows.at(-1)?.term}\0`
  }
  return undefined
}

/** The text as the index has it; undefined for letters whose case SQLite may fold in another way. */
function foldCase(text: string): string | undefined {
  const isPlain = [...text].every((character) => character <= '\u007f' || character.toLowerCase() === character.toUpperCase())
  return isPlain ? text.toLowerCase() : undefined
}

function quote(trigram: string): string {
  return `"${trigram.replaceAll('"', '""')}"`
}
