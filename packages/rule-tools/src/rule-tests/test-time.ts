import { parseInstant } from '@tripline/engine/predicate'

/** Milliseconds per unit, the largest first. */
const units = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const

const durationPattern = /^(?:\d{1,9}(?:\.\d{1,3})?(?:ms|[wdhms]))+$/
const datePattern = /^\d{4}-\d{2}-\d{2}/

/** The latest time of a test, because years with five digits have another format. */
export const latestTestTime = Date.UTC(9999, 11, 31)

/**
 * Parses a test time to milliseconds since the epoch: relative to the start of the clock, such as `90s`, `1m30s`,
 * `1.5s` or `250ms`, or a date with a time such as `2026-01-01T00:00:10Z`. Undefined for anything else.
 */
export function parseTestTime(text: string, startAt: number): number | undefined {
  const at = durationPattern.test(text) ? startAt + parseDuration(text) : text === '0' ? startAt : parseDate(text)
  return at !== undefined && at <= latestTestTime ? at : undefined
}

/** Parses a duration in the format of relative times. */
export function parseTestDuration(text: string): number | undefined {
  return durationPattern.test(text) ? parseDuration(text) : undefined
}

function parseDuration(text: string): number {
  let sum = 0
  for (const [, digits = '', unit = ''] of text.matchAll(/([\d.]+)(ms|[wdhms])/g)) {
    sum += Number(digits) * (Object.hasOwn(units, unit) ? units[unit as keyof typeof units] : 0)
  }
  return Math.round(sum)
}

function parseDate(text: string): number | undefined {
  return datePattern.test(text) ? parseInstant(text) : undefined
}

/** Prints a time relative to the start in the format of `parseTestTime`: `0s`, `1m30s`, `250ms`; `-5s` before the start. */
export function printTestTime(at: number, startAt: number): string {
  let left = Math.abs(at - startAt)
  if (left === 0) return '0s'
  let text = at < startAt ? '-' : ''
  for (const [unit, unitMs] of Object.entries(units)) {
    const count = Math.floor(left / unitMs)
    if (count > 0) text += `${count}${unit}`
    left -= count * unitMs
  }
  return text
}
