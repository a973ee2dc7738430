/** Rounds a duration in milliseconds to a tenth, for responses and the log. */
export function formatDuration(ms: number): number {
  return Math.round(ms * 10) / 10
}
