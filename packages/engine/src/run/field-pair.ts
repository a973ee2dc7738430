import { foldText } from '../event/value-view.ts'
import { toTexts } from '../event/value.ts'
import type { FieldValue } from '../event/value.ts'
import { compileFieldRef } from '../predicate/matchers/field-ref.ts'
import type { FieldRefTest } from '../predicate/predicate.ts'

/** Compares two fields of an event that are both present. */
export type PairCheck = (value: FieldValue, other: FieldValue) => boolean

/** Compiles a comparison of two fields. */
export function compilePairCheck(test: FieldRefTest): PairCheck {
  const isMatch = compileFieldRef(test)
  const isEquality = test.relation === 'equals'
  return (value, other) => {
    // Folding keeps the length, so this rules out most fields that differ.
    if (isEquality && typeof value === 'string' && typeof other === 'string' && value.length !== other.length) return false
    const text = toTexts(value)
    const otherText = toTexts(other)
    return test.isCased ? isMatch(text, otherText) : isMatch(foldText(text), foldText(otherText))
  }
}
