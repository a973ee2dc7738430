import { Batch } from '../event/batch.ts'
import type { NormalizedEvent } from '../event/event.ts'
import { FieldTable } from '../event/field-table.ts'
import type { FieldValue, Scalar } from '../event/value.ts'
import { limits } from '../limits.ts'
import { compileTest } from './compile.ts'
import type { Matcher } from './matcher.ts'
import { numberOf } from './matchers/number.ts'
import type { Predicate, Test } from './predicate.ts'

/** Why a comparison came out as it did. */
export type Reason =
  | 'matched'
  | 'value_mismatch'
  | 'field_absent'
  | 'field_present'
  | 'value_null'
  | 'value_not_a_number'
  | 'reference_absent'

/** One comparison: what was asked of which field, what the event holds there, and the outcome. */
export type ExplainedTest = {
  /** Null for keywords, which look at every leaf. */
  readonly field: string | null
  readonly op: string
  readonly pattern: string
  /** The event's value; null where the field is absent. Long texts and lists are cut. */
  readonly actual: Scalar | readonly Scalar[]
  readonly result: boolean
  readonly reason: Reason
}

/** `and`, `or`, `not`, or the name of a selection, with what it is made of (decisions 3.4). */
export type ExplainedNode = {
  readonly node: string
  readonly result: boolean
  readonly children: readonly Explanation[]
}

export type Explanation = ExplainedNode | ExplainedTest

/**
 * Says for every part of a predicate whether it holds on an event, and why. Looks at all parts, also where
 * a matcher would have stopped.
 */
export function explainPredicate(predicate: Predicate, event: NormalizedEvent): Explanation {
  switch (predicate.kind) {
    case 'constant':
      return { node: String(predicate.value), result: predicate.value, children: [] }
    case 'test':
      return explainTest(predicate, event, false)
    case 'group':
      return explainGroup(predicate.name, predicate.of, event)
    case 'not':
      return explainNot(predicate.of, event)
    case 'and':
    case 'or': {
      const children = predicate.of.map((part) => explainPredicate(part, event))
      const result = predicate.kind === 'and' ? children.every((child) => child.result) : children.some((child) => child.result)
      return { node: predicate.kind, result, children }
    }
  }
}

/**
 * The comparisons that made a predicate hold, each as `selection: field|modifiers=pattern` (decisions
 * D-16), each once, in the order of the rule. Empty where the explanation says that it does not hold.
 */
export function matchedConditions(explanation: Explanation): readonly string[] {
  const conditions = new Set<string>()
  collect(explanation, '', conditions)
  return [...conditions]
}

function collect(part: Explanation, selection: string, out: Set<string>): void {
  if (!part.result) return
  if ('op' in part) {
    const item = [part.field ?? '', part.op === 'eq' ? '' : part.op].filter((text) => text !== '').join('|')
    const prefix = selection === '' ? '' : `${selection}: `
    out.add(part.field === null && part.op === 'eq' ? `${prefix}${part.pattern}` : `${prefix}${part.field === null ? '|' : ''}${item}=${part.pattern}`)
    return
  }
  // What made a negation hold is the absence of something: there is nothing to show.
  if (part.node === 'not' || part.node.startsWith('not ')) return
  const isOperator = part.node === 'and' || part.node === 'or'
  for (const child of part.children) collect(child, isOperator ? selection : part.node, out)
}

function explainGroup(name: string, content: Predicate, event: NormalizedEvent): ExplainedNode {
  const explained = explainPredicate(content, event)
  const children = 'children' in explained && explained.node === 'and' ? explained.children : [explained]
  return { node: name, result: explained.result, children }
}

function explainNot(content: Predicate, event: NormalizedEvent): Explanation {
  if (content.kind === 'test' && content.written.operator.split('|').includes('neq')) return explainTest(content, event, true)
  const explained = content.kind === 'group' ? explainGroup(content.name, content.of, event) : explainPredicate(content, event)
  const children = 'children' in explained && content.kind === 'group' ? explained.children : [explained]
  return { node: content.kind === 'group' ? `not ${content.name}` : 'not', result: !explained.result, children }
}

/** A test compiled on its own, with the fields that it alone reads. */
type LoneTest = { readonly fields: FieldTable; readonly matcher: Matcher }

const loneTests = new WeakMap<Test, LoneTest>()

function loneTestOf(test: Test): LoneTest {
  let lone = loneTests.get(test)
  if (lone === undefined) {
    const fields = new FieldTable()
    lone = { fields, matcher: compileTest(test, fields) }
    loneTests.set(test, lone)
  }
  return lone
}

function explainTest(test: Test, event: NormalizedEvent, isNegated: boolean): ExplainedTest {
  const { fields, matcher } = loneTestOf(test)
  const batch = new Batch([event], fields)
  const rows = new Uint32Array(1)
  const holds = matcher(batch, rows, 1, rows) === 1
  const value = test.field === undefined ? undefined : batch.column(fields.slotOf(test.field)).value(0)
  const result = holds !== isNegated
  return {
    field: test.field ?? null,
    op: test.written.operator,
    pattern: test.written.value,
    actual: printable(value),
    result,
    reason: result ? 'matched' : isNegated ? 'value_mismatch' : reasonOf(test, value, batch, fields),
  }
}

function reasonOf(test: Test, value: FieldValue, batch: Batch, fields: FieldTable): Reason {
  if (test.field === undefined) return 'value_mismatch'
  if (test.value.kind === 'exists') return test.value.isPresent ? 'field_absent' : 'field_present'
  if (value === undefined) return 'field_absent'
  if (value === null) return 'value_null'
  if (test.value.kind === 'fieldRef' && batch.column(fields.slotOf(test.value.field)).value(0) === undefined) return 'reference_absent'
  const needsNumber = test.value.kind === 'number' || test.value.kind === 'compare'
  if (needsNumber && typeof value !== 'object' && Number.isNaN(numberOf(value))) return 'value_not_a_number'
  return 'value_mismatch'
}

function printable(value: FieldValue): Scalar | readonly Scalar[] {
  if (value === undefined) return null
  if (typeof value === 'string') return cut(value)
  if (typeof value !== 'object' || value === null) return value
  return value.slice(0, limits.explainedListLengthMax).map((element) => (typeof element === 'string' ? cut(element) : element))
}

function cut(text: string): string {
  return text.length <= limits.explainedValueLengthMax ? text : `${text.slice(0, limits.explainedValueLengthMax)}...`
}
