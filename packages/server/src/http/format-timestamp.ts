/** Formats a timestamp as ISO 8601 in UTC with milliseconds; null if unknown. */
export function formatTimestamp(at: number): string
export function formatTimestamp(at: number | undefined): string | null
export function formatTimestamp(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString()
}
