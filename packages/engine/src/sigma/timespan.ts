/** Milliseconds per unit; months and years are mean values, as in pySigma. */
const unitMs: { readonly [unit: string]: number } = {
  s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000, M: 2_629_746_000, y: 31_556_952_000,
}

/**
 * Parses a timespan such as `5m` to milliseconds: a whole number of seconds, minutes, hours, days, weeks (`w`),
 * months (`M`) or years (`y`). Undefined when it is not valid or not above zero.
 */
export function parseTimespan(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^\s*(\d{1,9})\s*([smhdwMy])\s*$/.exec(text) ?? []
  const timespanMs = Number(digits) * (unitMs[unit] ?? 0)
  return timespanMs > 0 && Number.isSafeInteger(timespanMs) ? timespanMs : undefined
}

/** Prints a duration in the largest unit that divides it: `90s`, `5m`, `1d`, or `ms`. */
export function printTimespan(timespanMs: number): string {
  const unit = ['d', 'h', 'm', 's'].find((candidate) => timespanMs % unitMs[candidate]! === 0)
  return unit === undefined ? `${timespanMs}ms` : `${timespanMs / unitMs[unit]!}${unit}`
}
