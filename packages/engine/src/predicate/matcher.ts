import type { Batch, Column, Rows } from '../event/batch.ts'
import type { FieldValue, Scalar } from '../event/value.ts'

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

/** A matcher over scalar values: a list passes when any element does, an absent field never. */
export function matchScalars(columnOf: ColumnOf, isMatch: (value: Scalar) => boolean): Matcher {
  return matchRows(columnOf, (column, row) => anyScalar(column.value(row), isMatch))
}

/** A matcher over the text of values, folded or as it stands. */
export function matchTexts(columnOf: ColumnOf, isFolded: boolean, isMatch: (text: string) => boolean): Matcher {
  return (batch, rows, count, out) => {
    const column = columnOf(batch)
    let kept = 0
    for (let i = 0; i < count; i++) {
      const row = rows[i]!
      const text = isFolded ? column.folded(row) : column.text(row)
      if (text === null) continue
      if (typeof text === 'string' ? isMatch(text) : text.some(isMatch)) out[kept++] = row
    }
    return kept
  }
}

function anyScalar(value: FieldValue, isMatch: (value: Scalar) => boolean): boolean {
  if (value === undefined) return false
  return typeof value === 'object' && value !== null ? value.some(isMatch) : isMatch(value)
}
