import type { Batch, Column, Rows } from '../event/batch.ts'
import { anyScalar, anyText } from './comparison.ts'
import type { Comparison } from './comparison.ts'

/**
 * Keeps the rows that match: reads the first `count` numbers of `rows`, writes those that match to `out`,
 * in order, and returns how many it wrote. `out` may be the same array as `rows`.
 */
export type Matcher = (batch: Batch, rows: Rows, count: number, out: Rows) => number

/** Where a matcher finds its column: a field's slot, or the leaves of the event. */
export type ColumnOf = (batch: Batch) => Column

/** A matcher that asks each row on its own. */
export function matchRows(columnOf: ColumnOf, isMatch: (column: Column, row: number, batch: Batch) => boolean): Matcher {
  return (batch, rows, count, out) => {
    const column = columnOf(batch)
    let kept = 0
    for (let i = 0; i < count; i++) {
      const row = rows[i]!
      if (isMatch(column, row, batch)) out[kept++] = row
    }
    return kept
  }
}

/** A matcher that asks one comparison of a column. */
export function matchComparison(columnOf: ColumnOf, comparison: Comparison): Matcher {
  switch (comparison.of) {
    case 'value': {
      const { isMatch } = comparison
      return matchRows(columnOf, (column, row) => isMatch(column.value(row)))
    }
    case 'scalar': {
      const { isMatch } = comparison
      return matchRows(columnOf, (column, row) => anyScalar(column.value(row), isMatch))
    }
    case 'text': {
      const { isFolded, isMatch } = comparison
      return isFolded
        ? matchRows(columnOf, (column, row) => anyText(column.folded(row), isMatch))
        : matchRows(columnOf, (column, row) => anyText(column.text(row), isMatch))
    }
  }
}
