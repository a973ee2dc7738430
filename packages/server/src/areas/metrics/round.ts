/** Rounds to a thousandth: more digits of a measured rate or duration say nothing. */
export function roundToThousandth(value: number): number {
  return Math.round(value * 1_000) / 1_000
}
