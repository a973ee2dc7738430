/** Milliseconds that something took, as they go over the wire and into the log: to a tenth. */
export function formatDuration(ms: number): number {
  return Math.round(ms * 10) / 10
}
