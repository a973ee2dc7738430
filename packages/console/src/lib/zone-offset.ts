import { getZoneName } from './format-time.ts'
import { look } from './look.ts'
import type { Look } from './look.ts'

/** Minutes east of UTC of the time zone in which times are shown. */
export function getZoneOffset(atMs: number, shown: Look = look.get()): number {
  if (shown.zone !== 'tenant') return shown.zone === 'utc' ? 0 : -new Date(atMs).getTimezoneOffset()
  // The local time, read as if it were UTC; Swedish writes it as ISO 8601 does.
  const local = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone: getZoneName(shown) }).format(atMs)
  return Math.round((Date.parse(`${local.replace(' ', 'T')}Z`) - atMs) / 60_000)
}
