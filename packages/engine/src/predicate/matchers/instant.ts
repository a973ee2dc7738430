import { parseInstant } from '../../event/parse-time.ts'
import type { Scalar } from '../../event/value.ts'
import type { InstantTest } from '../predicate.ts'
import { getComparator } from './number.ts'

/** Compares a value's timestamp with an instant; a value without a timestamp never passes. */
export function compileInstant({ operator, at }: InstantTest): (value: Scalar) => boolean {
  const holds = getComparator(operator)
  return (value) => {
    const found = parseInstant(value)
    return found !== undefined && holds(found, at)
  }
}
