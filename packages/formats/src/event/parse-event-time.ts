const lengthMax = 64

/**
 * Parses the time of an event: an ISO 8601 date and time, in UTC without a zone, or seconds or milliseconds since 1970.
 * Undefined for anything else.
 */
export function parseEventTime(text: string): number | undefined {
  if (text.length > lengthMax) return undefined
  if (/^\d{10}(\.\d+)?$/.test(text)) return Math.round(Number(text) * 1_000)
  if (/^\d{13}$/.test(text)) return Number(text)
  const [, date, time, zone] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)?$/i.exec(text) ?? []
  if (date === undefined || time === undefined) return undefined
  const at = Date.parse(`${date}T${time}${zone === undefined ? 'Z' : zone.toUpperCase()}`)
  return Number.isNaN(at) ? undefined : at
}
