import { formatNumber } from './format-number.ts'
import { look } from './look.ts'
import type { Look } from './look.ts'
import { createStore } from './store.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

/** The time zone of the tenant, which the server states; UTC until it has. */
export const tenantZone = createStore('UTC')

/** The time zone in which times are shown, as IANA names it. */
export function getZoneName({ zone }: Look = look.get()): string {
  if (zone === 'utc') return 'UTC'
  return zone === 'tenant' ? tenantZone.get() : Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Date and time to the second, with the zone: `2026-11-22 14:00:40 UTC`. */
export function printTime(at: string | number): string {
  return `${printInstant(at)} ${getZoneLabel(at)}`
}

/** Date and time to the second, where the zone stands elsewhere. */
export function printInstant(at: string | number): string {
  return format(at, 'sv-SE', { dateStyle: 'short', timeStyle: 'medium' })
}

/** The time of day to the second. */
export function printClock(at: string | number): string {
  return format(at, 'sv-SE', { timeStyle: 'medium' })
}

/** A label of a time axis: as short as the length of the axis allows. */
export function printTick(at: number, spanMs: number): string {
  if (spanMs <= 15 * 60_000) return printClock(at)
  if (spanMs <= 36 * 3_600_000) return format(at, 'sv-SE', { timeStyle: 'short' })
  return format(at, look.get().language, {
    month: 'short',
    day: 'numeric',
    ...(spanMs < 10 * 86_400_000 && { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  })
}

const ageUnits = [['day', 86_400], ['hour', 3_600], ['minute', 60]] as const

/** How long ago an instant is, in the largest unit: `6s`, `3h`, `12d`. */
export function printAge(at: string, nowMs: number): string {
  return printSpan(nowMs - Date.parse(at))
}

/** A length of time in its largest unit; nothing is shorter than `0s`. */
export function printSpan(lengthMs: number): string {
  return printInUnit(Math.max(0, Math.floor(lengthMs / 1_000)), 0)
}

/** A length of time to a tenth of its largest unit: `12.5s`, `20m`. */
export function printLength(lengthMs: number): string {
  return printInUnit(lengthMs / 1_000, 1)
}

function printInUnit(seconds: number, digits: 0 | 1): string {
  const [unit, length] = ageUnits.find(([, least]) => seconds >= least) ?? (['second', 1] as const)
  const count = digits === 0 ? Math.floor(seconds / length) : seconds / length
  return formatNumber(count, { style: 'unit', unit, unitDisplay: 'narrow', maximumFractionDigits: digits })
}

/** The abbreviation of the time zone in which times are shown, at an instant: summer time has another. */
export function getZoneLabel(at: string | number = Date.now()): string {
  if (getZoneName() === 'UTC') return 'UTC'
  return getFormat('en', { timeZoneName: 'short' }).formatToParts(new Date(at)).find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

function format(at: string | number, locale: string, options: Intl.DateTimeFormatOptions): string {
  return getFormat(locale, options).format(new Date(at))
}

function getFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const timeZone = getZoneName()
  const key = `${locale} ${timeZone} ${JSON.stringify(options)}`
  const made = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone })
  formats.set(key, made)
  return made
}
