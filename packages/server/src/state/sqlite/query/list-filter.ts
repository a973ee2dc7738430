import { sql } from 'kysely'
import type { Expression, Kysely, SqlBool } from 'kysely'
import { limits } from '../../../limits.ts'
import type { ListTotal } from '../../../model/lists/filter.ts'
import { collectFilters } from '../../ports/list-query.ts'
import type { ListQuery } from '../../ports/list-query.ts'
import type { Tables } from '../rows/tables.ts'
import { buildFilterCondition, buildTextCondition } from './filter-condition.ts'
import type { ListColumns } from './filter-condition.ts'

/** Builds the conditions of a query: its filters, and its text in one of some columns. */
export function buildListConditions(
  list: ListColumns, textColumns: readonly string[], query: Pick<ListQuery, 'filter' | 'narrowing' | 'text'>,
): readonly Expression<SqlBool>[] {
  const { text = '' } = query
  const conditions = collectFilters(query).map((filter) => buildFilterCondition(list, filter))
  return text === '' ? conditions : [...conditions, buildTextCondition(textColumns, text)]
}

/** Counts rows up to the bound of totals; `rows` selects at most `countedRowsMax`. */
export async function countBounded(db: Kysely<Tables>, rows: Expression<unknown>): Promise<ListTotal> {
  const counting = sql<{ readonly count: number }>`select count(*) as count from ${rows} as found`
  const count = (await counting.execute(db)).rows[0]?.count ?? 0
  const { countedMax } = limits.state
  return { count: Math.min(count, countedMax), isExact: count <= countedMax }
}

/** One more than is counted, to know that there are more. */
export const countedRowsMax = limits.state.countedMax + 1
