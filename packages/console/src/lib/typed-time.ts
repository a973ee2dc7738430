import { toIso, unitMs } from './time-range.ts'

/**
 * Reads a time that a person types: `2026-11-20 10:00`, `yesterday 14:00`, `14:00`, `-3h`, in a zone whose offset is given in
 * minutes east of UTC. Returns undefined for what is no time.
 */
export function parseTypedTime(
  typed: string,
  { nowMs, offsetMinutes }: { readonly nowMs: number; readonly offsetMinutes: number },
): string | undefined {
  const text = typed.trim().toLowerCase()
  if (text === '' || text === 'now') return toIso(nowMs)
  if (/^-\d{1,5}[mhd]$/.test(text)) return text
  if (/^\d{4}-\d\d-\d\dt\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?z$/.test(text)) return toValidIso(Date.parse(text))
  const localNow = new Date(nowMs + offsetMinutes * 60_000)
  const [, day, hours = '0', minutes = '0', seconds = '0'] =
    /^(today|yesterday|\d{4}-\d\d-\d\d)?\s*(?:t?(\d{1,2}):(\d\d)(?::(\d\d))?)?$/.exec(text) ?? []
  if (day === undefined && !/\d:\d\d/.test(text)) return undefined
  const midnight =
    day === undefined || day === 'today' || day === 'yesterday'
      ? Date.UTC(localNow.getUTCFullYear(), localNow.getUTCMonth(), localNow.getUTCDate()) - (day === 'yesterday' ? unitMs.d : 0)
      : Date.parse(day)
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  return toValidIso(midnight + Number(hours) * unitMs.h + Number(minutes) * unitMs.m + Number(seconds) * 1_000 - offsetMinutes * 60_000)
}

function toValidIso(atMs: number): string | undefined {
  return Number.isNaN(atMs) ? undefined : toIso(atMs)
}
