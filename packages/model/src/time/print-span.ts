const units: readonly (readonly [ms: number, unit: string])[] = [[86_400_000, 'd'], [3_600_000, 'h'], [60_000, 'min'], [1_000, 's']]

/** Prints a length of time in the largest unit that it has two of: `90 min`, `3 h`. */
export function printSpan(spanMs: number): string {
  const [ms, unit] = units.find(([ms]) => spanMs >= 2 * ms) ?? [1_000, 's']
  return `${Math.round(spanMs / ms)} ${unit}`
}
