import type { AssetRisksBody } from '@tripline/contract/console/enrichment/asset-activity'

/** A score at each time; null before the first is known. */
type RiskLine = { readonly times: readonly number[]; readonly scores: readonly (number | null)[] }

/** The risk of an asset as a line of steps: each score holds until the next one came, and the last one until now. */
export function toRiskLine(risks: AssetRisksBody['risks'], { from, to }: { readonly from: number; readonly to: number }): RiskLine {
  const times: number[] = [from]
  const scores: (number | null)[] = [null]
  for (const { at, score } of risks) {
    const time = Date.parse(at)
    const before = scores.at(-1) ?? null
    if (time <= from) {
      scores[0] = score
      continue
    }
    // A step: the score before lasts until this one. Times of a line differ.
    if (before !== null && time - 1 > times.at(-1)!) {
      times.push(time - 1)
      scores.push(before)
    }
    times.push(time)
    scores.push(score)
  }
  if (to > times.at(-1)!) {
    times.push(to)
    scores.push(scores.at(-1) ?? null)
  }
  return { times, scores }
}
