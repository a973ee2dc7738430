import { numberLengthMax, parseNumber } from '../../event/parse-number.ts'
import type { Scalar } from '../../event/value.ts'
import type { ComparisonOperator, NumberTest } from '../predicate.ts'

const integer = /^\s*[+-]?\d+\s*$/

/** Tests equality with a number. If a double cannot represent it, integers in texts are compared exactly. */
export function compileNumber(test: NumberTest): (value: Scalar) => boolean {
  if (test.text === undefined) return (value) => parseNumber(value) === test.value
  const exact = BigInt(test.text)
  return (value) => {
    if (typeof value === 'string' && value.length <= numberLengthMax && integer.test(value)) {
      return BigInt(value.trim().replace('+', '')) === exact
    }
    return parseNumber(value) === test.value
  }
}

/** Compares numbers; a value that is no number never passes. */
export function compileNumberComparison(operator: ComparisonOperator, bound: number): (value: Scalar) => boolean {
  const holds = getComparator(operator)
  return (value) => holds(parseNumber(value), bound)
}

export function getComparator(operator: ComparisonOperator): (a: number, b: number) => boolean {
  switch (operator) {
    case 'eq':
      return (a, b) => a === b
    case 'gt':
      return (a, b) => a > b
    case 'gte':
      return (a, b) => a >= b
    case 'lt':
      return (a, b) => a < b
    case 'lte':
      return (a, b) => a <= b
  }
}
