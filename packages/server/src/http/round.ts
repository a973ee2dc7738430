/** Rounds to a thousandth: more digits of a measured rate or duration say nothing. */
export function roundToThousandth(value: number): number {
  return Math.round(value * 1_000) / 1_000
}

/** Rounds a duration in milliseconds to a tenth, for responses and the log. */
export function formatDuration(ms: number): number {
  return Math.round(ms * 10) / 10
}
