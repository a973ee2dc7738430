import { numberLengthMax, parseNumber } from '../../event/parse-number.ts'
import type { Scalar } from '../../event/value.ts'
import type { CompareTest, ComparisonOperator, NumberTest } from '../predicate.ts'

const integer = /^\s*[+-]?\d+\s*$/

/** Tests equality with a number. If a double cannot represent it, integers are compared exactly. */
export function compileNumber({ value, text }: NumberTest): (value: Scalar) => boolean {
  return compileNumberComparison({ kind: 'compare', operator: 'eq', value, ...(text !== undefined && { text }) })
}

/** Compares numbers; a value that is no number never passes. */
export function compileNumberComparison({ operator, value: bound, text }: CompareTest): (value: Scalar) => boolean {
  const holds = getComparator(operator)
  if (text === undefined) return (value) => holds(parseNumber(value), bound)
  const exact = BigInt(text)
  return (value) => {
    const found = toExactInteger(value)
    return found === undefined ? holds(parseNumber(value), bound) : holds(found, exact)
  }
}

/** An integer with all its digits; undefined for anything else. */
function toExactInteger(value: Scalar): bigint | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined
  if (typeof value !== 'string' || value.length > numberLengthMax || !integer.test(value)) return undefined
  return BigInt(value.trim().replace('+', ''))
}

export function getComparator(operator: ComparisonOperator): <N extends number | bigint>(a: N, b: N) => boolean {
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
