import type { Scalar } from './value.ts'

const decimal = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/

/** Characters of the longest text to parse as a number. */
export const numberLengthMax = 400

/** Parses a number or a decimal text; NaN for anything else, including hexadecimal text. */
export function parseNumber(value: Scalar): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value.length <= numberLengthMax && decimal.test(value) ? Number(value) : NaN
}
