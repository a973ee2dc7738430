import type { Batch, Column, Rows } from '../event/batch.ts'
import { anyScalar, anyText } from './comparison.ts'
import type { CompiledComparison } from './comparison.ts'

/**
 * Filters a selection vector: reads the first `count` numbers of `rows`, writes those of matching rows to `out`, in order,
 * and returns their count. `out` may be the same array as `rows`.
 */
export type Matcher = (batch: Batch, rows: Rows, count: number, out: Rows) => number

/** Selects a matcher's column: that of a field's slot, or the leaves. */
export type ColumnOf = (batch: Batch) => Column

/** Creates a matcher that evaluates each row separately. */
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

/** Creates a matcher that evaluates one comparison on a column. */
export function matchComparison(columnOf: ColumnOf, comparison: CompiledComparison): Matcher {
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
