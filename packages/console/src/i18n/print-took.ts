import { printNumber } from './translate.ts'

/** How long an answer took, in milliseconds or from a thousand on in seconds; digits that say nothing are left out. */
export function printTook(ms: number): string {
  return ms >= 1_000 ? `${printNumber(ms / 1_000)} s` : `${printNumber(ms, ms < 10 ? 1 : 0)} ms`
}
