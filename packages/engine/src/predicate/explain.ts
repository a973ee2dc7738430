import { toElementEvents } from '../event/element-events.ts'
import type { NormalizedEvent } from '../event/event.ts'
import { parseNumber } from '../event/parse-number.ts'
import type { FieldValue, Scalar } from '../event/value.ts'
import { limits } from '../limits.ts'
import { isNeq } from './matched-conditions.ts'
import { findMatchingLeaf } from './matching-leaf.ts'
import { satisfiesQuantifier } from './matchers/elements.ts'
import type { Elements, Predicate, Test } from './predicate.ts'
import { runTest } from './single-test.ts'
import type { SingleTestResult } from './single-test.ts'

/** Why a comparison came out as it did. */
export type Reason =
  | 'matched'
  | 'value_mismatch'
  | 'field_absent'
  | 'field_present'
  | 'value_null'
  | 'value_not_a_number'
  | 'reference_absent'

/** One comparison: the field, the condition, the event's value and the result. */
export type ExplainedTest = {
  /** For a keyword that matched, the path of the value that it matched; null for one that matched none. */
  readonly field: string | null
  readonly op: string
  readonly pattern: string
  /** The event's value; null if the field is absent. Long texts and lists are truncated. */
  readonly actual: Scalar | readonly Scalar[]
  readonly result: boolean
  readonly reason: Reason
}

/** `and`, `or`, `not` or the name of a selection, with its parts. */
export type ExplainedNode = {
  readonly node: string
  readonly result: boolean
  readonly children: readonly Explanation[]
}

export type Explanation = ExplainedNode | ExplainedTest

/**
 * Explains a predicate on an event: the result of every part and its reason. Evaluates all parts, without the
 * short-circuits of a matcher.
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
    case 'elements':
      return explainElements(predicate, event)
    case 'and':
    case 'or': {
      const children = predicate.of.map((part) => explainPredicate(part, event))
      const result = predicate.kind === 'and' ? children.every((child) => child.result) : children.some((child) => child.result)
      return { node: predicate.kind, result, children }
    }
  }
}

function explainGroup(name: string, content: Predicate, event: NormalizedEvent): ExplainedNode {
  const explained = explainPredicate(content, event)
  const children = 'children' in explained && explained.node === 'and' ? explained.children : [explained]
  return { node: name, result: explained.result, children }
}

/** Explains a condition on list elements; the first `limits.explainedListLengthMax` elements have their own nodes. */
function explainElements({ field, quantifier, of }: Elements, event: NormalizedEvent): ExplainedNode {
  const explained = toElementEvents(event, field).map((element) => explainPredicate(of, element))
  const result = satisfiesQuantifier(quantifier, explained.map((element) => (element.result ? 1 : 0)))
  const children = explained.slice(0, limits.explainedListLengthMax).map((element, i) => ({
    node: `${field}[${i}]`,
    result: element.result,
    children: 'children' in element && element.node === 'and' ? element.children : [element],
  }))
  return { node: `${field}[${quantifier}]`, result, children }
}

function explainNot(content: Predicate, event: NormalizedEvent): Explanation {
  if (isNeq(content)) return explainTest(content, event, true)
  const explained = content.kind === 'group' ? explainGroup(content.name, content.of, event) : explainPredicate(content, event)
  const children = 'children' in explained && content.kind === 'group' ? explained.children : [explained]
  return { node: content.kind === 'group' ? `not ${content.name}` : 'not', result: !explained.result, children }
}

function explainTest(test: Test, event: NormalizedEvent, isNegated: boolean): ExplainedTest {
  const outcome = runTest(test, event)
  const result = outcome.holds !== isNegated
  const leaf = test.field === undefined && outcome.holds ? findMatchingLeaf(test, event) : undefined
  return {
    field: test.field ?? leaf?.path ?? null,
    op: test.written.operator,
    pattern: test.writtenValue,
    actual: toPrintable(leaf?.text ?? outcome.value),
    result,
    reason: result ? 'matched' : isNegated ? 'value_mismatch' : findReason(test, outcome),
  }
}

function findReason(test: Test, { value, getValue }: SingleTestResult): Reason {
  if (test.field === undefined) return 'value_mismatch'
  if (test.value.kind === 'exists') return test.value.isPresent ? 'field_absent' : 'field_present'
  if (value === undefined) return 'field_absent'
  if (value === null) return 'value_null'
  if (test.value.kind === 'fieldRef' && getValue(test.value.field) === undefined) return 'reference_absent'
  const needsNumber = test.value.kind === 'number' || test.value.kind === 'compare'
  if (needsNumber && typeof value !== 'object' && Number.isNaN(parseNumber(value))) return 'value_not_a_number'
  return 'value_mismatch'
}

function toPrintable(value: FieldValue): Scalar | readonly Scalar[] {
  if (value === undefined) return null
  if (typeof value === 'string') return truncateText(value)
  if (typeof value !== 'object' || value === null) return value
  return value.slice(0, limits.explainedListLengthMax).map((element) => (typeof element === 'string' ? truncateText(element) : element))
}

function truncateText(text: string): string {
  return text.length <= limits.explainedValueLengthMax ? text : `${text.slice(0, limits.explainedValueLengthMax)}...`
}
