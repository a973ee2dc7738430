import { numberLengthMax, parseNumber } from '../../event/parse-number.ts'
import type { Scalar } from '../../event/value.ts'
import type { ComparisonOperator, NumberTest } from '../predicate.ts'

const integer = /^\s*[+-]?\d+\s*$/

/** Equality with a number (D-8). Where a double cannot hold it, texts are compared digit by digit. */
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

/** Order of numbers; a value that states none compares as false. */
export function compileComparison(operator: ComparisonOperator, bound: number): (value: Scalar) => boolean {
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
