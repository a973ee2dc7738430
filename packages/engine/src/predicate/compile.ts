import type { Rows } from '../event/batch.ts'
import { FieldTable } from '../event/field-table.ts'
import { compileComparison } from './comparison.ts'
import { matchElements } from './matchers/elements.ts'
import { matchFieldRef } from './matchers/field-ref.ts'
import { matchComparison } from './matcher.ts'
import type { ColumnOf, Matcher } from './matcher.ts'
import type { Predicate, Test } from './predicate.ts'

const keepNone: Matcher = () => 0

const keepAll: Matcher = (_batch, rows, count, out) => {
  if (out !== rows) out.set(rows.subarray(0, count))
  return count
}

/**
 * Compiles a predicate to closures over columns (vectorized execution with selection vectors). Decides everything that
 * does not depend on events once, and orders parts by cost, cheapest first. The predicate's fields get slots in `fields`.
 */
export function compilePredicate(predicate: Predicate, fields: FieldTable): Matcher {
  switch (predicate.kind) {
    case 'constant':
      return predicate.value ? keepAll : keepNone
    case 'group':
      return compilePredicate(predicate.of, fields)
    case 'test':
      return compileTest(predicate, fields)
    case 'elements': {
      const elementFields = new FieldTable()
      return matchElements(predicate, compilePredicate(predicate.of, elementFields), elementFields)
    }
    case 'not':
      return matchNone(compilePredicate(predicate.of, fields))
    case 'and':
      return matchAll(compileParts(predicate.of, fields))
    case 'or':
      return matchAny(compileParts(predicate.of, fields))
  }
}

/** Compiles one comparison. */
export function compileTest(test: Test, fields: FieldTable): Matcher {
  const columnOf = selectColumn(test.field, fields)
  const { value } = test
  if (value.kind === 'fieldRef') return matchFieldRef(columnOf, selectColumn(value.field, fields), value)
  return matchComparison(columnOf, compileComparison(value))
}

function selectColumn(field: string | undefined, fields: FieldTable): ColumnOf {
  if (field === undefined) return (batch) => batch.leaves
  const slot = fields.assignSlot(field)
  return (batch) => batch.column(slot)
}

function compileParts(parts: readonly Predicate[], fields: FieldTable): Matcher[] {
  return parts.toSorted((a, b) => estimateCost(a) - estimateCost(b)).map((part) => compilePredicate(part, fields))
}

const testCosts: { readonly [kind in Test['value']['kind']]: number } = {
  exists: 1,
  null: 1,
  number: 1,
  compare: 1,
  boolean: 1,
  text: 2,
  fieldRef: 3,
  timePart: 5,
  instant: 5,
  cidr: 5,
  regex: 50,
}

/** Estimates the cost of a predicate, in comparisons of short texts. */
function estimateCost(predicate: Predicate): number {
  switch (predicate.kind) {
    case 'constant':
      return 0
    case 'group':
    case 'not':
      return estimateCost(predicate.of)
    case 'elements':
      return 20 + 5 * estimateCost(predicate.of)
    case 'and':
    case 'or':
      return predicate.of.reduce((sum, part) => sum + estimateCost(part), 0)
    case 'test':
      return testCosts[predicate.value.kind] * (predicate.field === undefined ? 20 : 1)
  }
}

/** Conjunction: narrows the rows part by part and stops when none is left. */
function matchAll(parts: readonly Matcher[]): Matcher {
  return (batch, rows, count, out) => {
    let kept = keepAll(batch, rows, count, out)
    for (const part of parts) {
      if (kept === 0) return 0
      kept = part(batch, out, kept, out)
    }
    return kept
  }
}

/** Disjunction: runs each part only on the rows that no earlier part matched. */
function matchAny(parts: readonly Matcher[]): Matcher {
  return (batch, rows, count, out) => {
    const left = batch.borrow()
    const hits = batch.borrow()
    let leftCount = keepAll(batch, rows, count, left)
    for (const part of parts) {
      if (leftCount === 0) break
      const hitCount = part(batch, left, leftCount, hits)
      leftCount = subtract(left, leftCount, hits, hitCount, left)
    }
    const kept = subtract(rows, count, left, leftCount, out)
    batch.release(left)
    batch.release(hits)
    return kept
  }
}

function matchNone(part: Matcher): Matcher {
  return (batch, rows, count, out) => {
    const hits = batch.borrow()
    const hitCount = part(batch, rows, count, hits)
    const kept = subtract(rows, count, hits, hitCount, out)
    batch.release(hits)
    return kept
  }
}

/** The rows of `rows` that are not among `gone`; both ascend, and `gone` holds only rows of `rows`. */
function subtract(rows: Rows, count: number, gone: Rows, goneCount: number, out: Rows): number {
  let kept = 0
  let next = 0
  for (let i = 0; i < count; i++) {
    const row = rows[i]!
    if (next < goneCount && gone[next] === row) next++
    else out[kept++] = row
  }
  return kept
}
