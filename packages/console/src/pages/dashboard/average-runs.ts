/** Shortens a series to at most `countMax` values, each the mean of a run of neighbours; the newest run is whole. */
export function averageRuns(values: readonly number[], countMax: number): readonly number[] {
  const length = Math.max(1, Math.ceil(values.length / countMax))
  const means: number[] = []
  for (let end = values.length; end > 0; end -= length) {
    const run = values.slice(Math.max(0, end - length), end)
    means.unshift(run.reduce((sum, value) => sum + value, 0) / run.length)
  }
  return means
}
