/** A range of time as the address states it: ends are ISO times or relative to now; an absent end is now. */
export type TimeRange = { readonly from?: string | undefined; readonly to?: string | undefined }

/** The ranges that one click chooses. */
export const presets = ['-15m', '-1h', '-4h', '-24h', '-7d', '-30d', '-90d'] as const
type Preset = (typeof presets)[number]

export const defaultFrom: Preset = '-24h'

/** Units of lengths of time, as `5m` names them. */
export const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** The milliseconds of a length of time such as `5m`; NaN for another text. */
export function parseLength(text: string): number {
  const [, count, unit] = /^(\d+)([smhdw])$/.exec(text) ?? []
  return Number(count) * unitMs[unit as keyof typeof unitMs]
}

/** The milliseconds of one end of a range: `-24h`, or an ISO time. */
function resolveTime(text: string, nowMs: number): number {
  return /^-\d+[mhd]$/.test(text) ? nowMs - parseLength(text.slice(1)) : Date.parse(text)
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
