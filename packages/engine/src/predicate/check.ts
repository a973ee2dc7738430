import type { ValueView } from '../event/value-view.ts'
import { anyScalar, anyText, compileComparison } from './comparison.ts'
import type { Predicate, Test } from './predicate.ts'

/** Evaluates a condition on a field's value. */
export type ValueCheck = (reading: ValueView) => boolean

/**
 * Compiles a predicate of one field to a check of the field's value. Throws for predicates that read more: comparisons
 * with other fields and conditions on list elements.
 */
export function compileCheck(predicate: Predicate): ValueCheck {
  switch (predicate.kind) {
    case 'constant':
      return () => predicate.value
    case 'group':
      return compileCheck(predicate.of)
    case 'not': {
      const negated = compileCheck(predicate.of)
      return (reading) => !negated(reading)
    }
    case 'and': {
      const checks = predicate.of.map(compileCheck)
      return (reading) => checks.every((check) => check(reading))
    }
    case 'or': {
      const checks = predicate.of.map(compileCheck)
      return (reading) => checks.some((check) => check(reading))
    }
    case 'test':
      return compileTest(predicate)
    case 'elements':
      throw new Error('a condition on elements is no check of one value')
  }
}

function compileTest({ value }: Test): ValueCheck {
  if (value.kind === 'fieldRef') throw new Error('a comparison with another field is no check of one value')
  const comparison = compileComparison(value)
  switch (comparison.of) {
    case 'value':
      return ({ value: found }) => comparison.isMatch(found)
    case 'scalar':
      return ({ value: found }) => anyScalar(found, comparison.isMatch)
    case 'text':
      return comparison.isFolded
        ? ({ folded }) => anyText(folded, comparison.isMatch)
        : ({ text }) => anyText(text, comparison.isMatch)
  }
}
