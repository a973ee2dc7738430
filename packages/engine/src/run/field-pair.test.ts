import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Batch } from '../event/batch.ts'
import { noAliases } from '../event/event.ts'
import { FieldTable } from '../event/field-table.ts'
import { matchFieldRef } from '../predicate/matchers/field-ref.ts'
import type { FieldRefTest } from '../predicate/predicate.ts'
import { compilePairCheck } from './field-pair.ts'

const seed = 20_261_122
const tests = fc.record({
  kind: fc.constant('fieldRef' as const),
  field: fc.constant('other'),
  relation: fc.constantFrom('equals' as const, 'startswith' as const, 'endswith' as const, 'contains' as const),
  isCased: fc.boolean(),
})
const scalars = fc.constantFrom(
  '', 'a', 'A', 'ab', 'AB', 'Ab', 'b', 'Σ', 'ς', 'σ', '\u0130', 'i', 1, '1', 1.5, true, 'true', null)
const lists = fc.array(scalars, { maxLength: 3 })
const values = fc.oneof({ weight: 3, arbitrary: scalars }, { weight: 1, arbitrary: lists })

test(`two fields are compared as a matcher compares them, seed ${seed}`, () => {
  let heldCount = 0
  fc.assert(fc.property(tests, values, values, (comparison, value, other) => {
    const isHeld = compilePairCheck(comparison)(value, other)
    expect(isHeld).toBe(isMatched(comparison, value, other))
    if (isHeld) heldCount++
  }), { seed, numRuns: 3_000 })
  expect(heldCount).toBeGreaterThan(300)
})

function isMatched(comparison: FieldRefTest, field: unknown, other: unknown): boolean {
  const table = new FieldTable()
  const [slot, otherSlot] = [table.assignSlot('field'), table.assignSlot('other')]
  const matcher = matchFieldRef((batch) => batch.column(slot), (batch) => batch.column(otherSlot), comparison)
  const event = { fields: { field, other }, logsources: [], aliases: noAliases, ignoresNameCase: false }
  const rows = Uint32Array.of(0)
  return matcher(new Batch([event], table), rows, 1, rows) === 1
}

type Relation = FieldRefTest['relation']

test.for<[what: string, relation: Relation, isCased: boolean, value: string, other: string, isHeld: boolean]>([
  ['equal', 'equals', true, 'who', 'who', true],
  ['equal but for case', 'equals', true, 'who', 'WHO', false],
  ['equal but for case, which does not count', 'equals', false, 'who', 'WHO', true],
  ['a beginning', 'startswith', false, 'whoami', 'WHO', true],
  ['an end', 'endswith', false, 'whoami', 'WHO', false],
  ['a part', 'contains', true, 'whoami', 'oam', true],
])('%s', ([, relation, isCased, value, other, isHeld]) => {
  expect(compilePairCheck({ kind: 'fieldRef', field: 'other', relation, isCased })(value, other)).toBe(isHeld)
})
