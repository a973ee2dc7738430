import { formatNumber } from '../lib/format-number.ts'

/** A large number in few signs: `40M`. */
export function printCompact(value: number): string {
  return formatNumber(value, { notation: 'compact', maximumFractionDigits: 1 })
}
