import type { FieldText, FieldValue, Scalar } from '../event/value.ts'
import { compileCidr } from './matchers/cidr.ts'
import { compileInstant } from './matchers/instant.ts'
import { compileNumber, compileNumberComparison as compileOrder } from './matchers/number.ts'
import { compileRegex } from './matchers/regex.ts'
import { compilePattern } from './matchers/text.ts'
import { compileTimePart } from './matchers/time-part.ts'
import type { FieldRefTest, ValueTest } from './predicate.ts'

/** A comparison of one field with a constant. */
export type FixedTest = Exclude<ValueTest, FieldRefTest>

/** A compiled comparison: the form of a value that it reads, and its test. */
export type CompiledComparison =
  /** Any of the texts, folded or not. */
  | { readonly of: 'text'; readonly isFolded: boolean; readonly isMatch: (text: string) => boolean }
  /** Any of the scalars. */
  | { readonly of: 'scalar'; readonly isMatch: (value: Scalar) => boolean }
  /** The value as a whole, even if it is absent. */
  | { readonly of: 'value'; readonly isMatch: (value: FieldValue) => boolean }

/** Compiles a comparison with a constant. */
export function compileComparison(value: FixedTest): CompiledComparison {
  switch (value.kind) {
    case 'text':
      return { of: 'text', isFolded: !value.isCased, isMatch: compilePattern(value.pattern, value.isCased) }
    case 'number':
      return { of: 'scalar', isMatch: compileNumber(value) }
    case 'boolean': {
      const wanted = String(value.value)
      return { of: 'text', isFolded: true, isMatch: (text) => text === wanted }
    }
    case 'null':
      return { of: 'value', isMatch: isNull }
    case 'exists': {
      const { isPresent } = value
      return { of: 'value', isMatch: (found) => (found !== undefined) === isPresent }
    }
    case 'compare':
      return { of: 'scalar', isMatch: compileOrder(value) }
    case 'timePart':
      return { of: 'scalar', isMatch: compileTimePart(value) }
    case 'instant':
      return { of: 'scalar', isMatch: compileInstant(value) }
    case 'regex':
      return { of: 'text', isFolded: false, isMatch: compileRegex(value) }
    case 'cidr':
      return { of: 'text', isFolded: false, isMatch: compileCidr(value) }
  }
}

/** Whether any text passes; false without texts. */
export function anyText(text: FieldText, isMatch: (text: string) => boolean): boolean {
  if (text === null) return false
  return typeof text === 'string' ? isMatch(text) : text.some(isMatch)
}

/** Whether the scalar passes, or any of a list; an absent value never does. */
export function anyScalar(value: FieldValue, isMatch: (value: Scalar) => boolean): boolean {
  if (value === undefined) return false
  return typeof value === 'object' && value !== null ? value.some(isMatch) : isMatch(value)
}

/** Absent, null, or a list with a null in it. */
function isNull(value: FieldValue): boolean {
  return value === undefined || value === null || (typeof value === 'object' && value.includes(null))
}
