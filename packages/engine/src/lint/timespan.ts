/** Milliseconds of each unit of a timespan; months and years as the reference counts them (sigma.md section 8). */
const unitsMs: { readonly [unit: string]: number } = {
  s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000, M: 2_629_746_000, y: 31_556_952_000,
}

/** Reads a timespan such as `5m`; undefined where it is none. */
export function timespanMs(text: string): number | undefined {
  const [, count = '', unit = ''] = /^\s*(\d{1,9})\s*([smhdwMy])\s*$/.exec(text) ?? []
  const unitMs = unitsMs[unit]
  return unitMs === undefined ? undefined : Number(count) * unitMs
}
