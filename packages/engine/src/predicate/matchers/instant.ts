import { instantOf } from '../../event/parse-time.ts'
import type { Scalar } from '../../event/value.ts'
import type { InstantTest } from '../predicate.ts'
import { comparison } from './number.ts'

/** Order of the instant that a value states; a value that states none never passes. */
export function compileInstant({ operator, at }: InstantTest): (value: Scalar) => boolean {
  const holds = comparison(operator)
  return (value) => {
    const found = instantOf(value)
    return found !== undefined && holds(found, at)
  }
}
