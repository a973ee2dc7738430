/** An instant as it goes over the wire, in UTC to the millisecond; null where it is not known. */
export function formatTimestamp(at: number): string
export function formatTimestamp(at: number | undefined): string | null
export function formatTimestamp(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString()
}
