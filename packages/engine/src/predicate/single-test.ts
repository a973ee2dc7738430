import { Batch } from '../event/batch.ts'
import type { NormalizedEvent } from '../event/event.ts'
import { FieldTable } from '../event/field-table.ts'
import type { FieldValue } from '../event/value.ts'
import { compileTest } from './compile.ts'
import type { Matcher } from './matcher.ts'
import type { Test } from './predicate.ts'

/** The result of one comparison on one event. */
export type SingleTestResult = {
  readonly holds: boolean
  /** The event's value of the compared field; undefined for keywords. */
  readonly value: FieldValue
  /** The event's value of another field. */
  readonly getValue: (field: string) => FieldValue
}

/** A separately compiled test with its own field table. */
type CompiledTest = { readonly fields: FieldTable; readonly matcher: Matcher }

const compiledTests = new WeakMap<Test, CompiledTest>()

/** Runs one comparison on one event with the same matcher as for batches. */
export function runTest(test: Test, event: NormalizedEvent): SingleTestResult {
  let lone = compiledTests.get(test)
  if (lone === undefined) {
    const fields = new FieldTable()
    lone = { fields, matcher: compileTest(test, fields) }
    compiledTests.set(test, lone)
  }
  const { fields, matcher } = lone
  const batch = new Batch([event], fields)
  const rows = new Uint32Array(1)
  const holds = matcher(batch, rows, 1, rows) === 1
  const valueOf = (field: string) => batch.column(fields.assignSlot(field)).value(0)
  return { holds, value: test.field === undefined ? undefined : valueOf(test.field), getValue: valueOf }
}
