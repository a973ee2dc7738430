/** An instant as it goes over the wire, in UTC to the millisecond; null where it is not known. */
export function printInstant(at: number): string
export function printInstant(at: number | undefined): string | null
export function printInstant(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString()
}
