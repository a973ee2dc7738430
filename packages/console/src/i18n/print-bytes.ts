import { printNumber } from './translate.ts'

const units = ['kB', 'MB', 'GB', 'TB'] as const

/** A size in the largest unit that it has one of, or that a greater one has beside which it stands. */
export function printBytes(bytes: number, greatest = bytes): string {
  const power = Math.max(1, Math.min(units.length, Math.floor(Math.log10(Math.max(1, greatest)) / 3)))
  return `${printNumber(bytes / 1_000 ** power)} ${units[power - 1] ?? ''}`
}
