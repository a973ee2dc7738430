import type { Scalar } from './value.ts'

const decimal = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/

/** Longer texts are not numbers that anybody writes; reading them as such would cost time for nothing. */
export const numberLengthMax = 400

/** The number that a value states: itself, or a text that is decimal all through; NaN otherwise (D-8: never hex). */
export function parseNumber(value: Scalar): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value.length <= numberLengthMax && decimal.test(value) ? Number(value) : NaN
}
