const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const dayMs = 86_400_000

/** `Oct 11 22:14:15`, perhaps with a year before or behind the time, a fraction, and a colon or zone name behind it. */
const bsdTime = /^[*.]?([A-Z][a-z]{2}) {1,2}(\d{1,2}) (?:(\d{4}) )?(\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?(?: (\d{4}))?(?: UTC)?:? /

/**
 * Parses the time of RFC 3164 at the start of a text: it has no zone, so it is read as UTC, and rarely a year, so it is the last
 * such day that is at most a day ahead of the time of receipt.
 */
export function parseBsdTime(text: string, receivedAt: number): { readonly timestamp: string; readonly length: number } | undefined {
  const [header, monthName = '', day, yearBefore, hours, minutes, seconds, fraction = '', yearBehind] = bsdTime.exec(text) ?? []
  const month = months.indexOf(monthName)
  if (header === undefined || month === -1) return undefined
  const ms = Number(fraction.padEnd(3, '0').slice(0, 3))
  const inYear = (year: number): number => Date.UTC(year, month, Number(day), Number(hours), Number(minutes), Number(seconds), ms)
  const year = Number(yearBefore ?? yearBehind ?? NaN)
  const thisYear = new Date(receivedAt).getUTCFullYear()
  const candidates = Number.isNaN(year) ? [thisYear + 1, thisYear, thisYear - 1] : [year]
  const at = candidates.map(inYear).find((time) => !Number.isNaN(year) || time <= receivedAt + dayMs)
  if (at === undefined || new Date(at).getUTCMonth() !== month) return undefined
  return { timestamp: new Date(at).toISOString(), length: header.length }
}
