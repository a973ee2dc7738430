/** A range of time as the address states it: ends are ISO times or relative to now; an absent end is now. */
export type TimeRange = { readonly from?: string | undefined; readonly to?: string | undefined }

/** The ranges that one click chooses. */
export const presets = ['-15m', '-1h', '-4h', '-24h', '-7d', '-30d', '-90d'] as const
type Preset = (typeof presets)[number]

export const defaultFrom: Preset = '-24h'

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** The milliseconds of one end of a range: `-24h`, or an ISO time. */
function resolveTime(text: string, nowMs: number): number {
  const [, count, unit] = /^-(\d+)([mhd])$/.exec(text) ?? []
  if (count === undefined) return Date.parse(text)
  return nowMs - Number(count) * unitMs[unit as keyof typeof unitMs]
}

/** Both ends of a range in milliseconds. */
export function resolveRange({ from = defaultFrom, to }: TimeRange, nowMs: number): { readonly from: number; readonly to: number } {
  return { from: resolveTime(from, nowMs), to: to === undefined ? nowMs : resolveTime(to, nowMs) }
}

/** A range of twice the length around the same middle, which does not reach into the future. */
export function zoomOut(range: TimeRange, nowMs: number): TimeRange {
  const { from, to } = resolveRange(range, nowMs)
  const half = (to - from) / 2
  const end = Math.min(nowMs, to + half)
  return { from: toIso(from - half), to: end >= nowMs ? undefined : toIso(end) }
}

/** An instant as addresses state it. */
export function toIso(atMs: number): string {
  return new Date(atMs).toISOString()
}

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
