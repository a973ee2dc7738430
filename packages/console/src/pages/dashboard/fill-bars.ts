import type { ChangesBody } from '@tripline/contract/console/audit'

export type Change = ChangesBody['changes'][number]

/** What a bar of the time axis holds beside its alerts: events per second on average, undefined where none was measured, and changes. */
export type Strip = { readonly rate: number | undefined; readonly changes: readonly Change[] }

type Sources = {
  readonly rates: readonly { readonly timestamp: string; readonly value: number }[]
  /** How long each rate was measured for. */
  readonly rateMs: number
  readonly changes: readonly Change[]
}

/**
 * Sorts what was measured and changed into bars of one length, by their beginnings; what lies outside of them is left out. A rate is of
 * some minutes, which may begin in one bar and lie in the next: its middle decides. Where bars are shorter, it is that of all bars of
 * its time.
 */
export function fillBars(starts: readonly number[], barMs: number, { rates, rateMs, changes }: Sources): readonly Strip[] {
  const strips = starts.map(() => ({ values: [] as number[], changes: [] as Change[] }))
  const [first = 0] = starts
  const findIndex = (at: number): number => Math.floor((at - first) / barMs)
  for (const { timestamp, value } of rates) {
    const at = Date.parse(timestamp)
    const middle = findIndex(at + rateMs / 2)
    const [begin, end] = rateMs > barMs ? [findIndex(at), Math.ceil((at + rateMs - first) / barMs)] : [middle, middle + 1]
    for (const { values } of strips.slice(Math.max(0, begin), Math.max(0, end))) values.push(value)
  }
  for (const change of changes) strips[findIndex(Date.parse(change.at))]?.changes.push(change)
  return strips.map(({ values, changes: own }) => ({
    rate: values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length, changes: own,
  }))
}
