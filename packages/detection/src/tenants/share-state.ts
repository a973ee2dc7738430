/**
 * Shares what may be remembered in all among those who remember (max-min fairness, by water filling): who needs less than an
 * equal share keeps all, and the rest is shared equally by the others. Returns the share of those who hold more than theirs;
 * nothing where all together hold no more than `totalMax`.
 */
export function shareState<Key>(held: ReadonlyMap<Key, number>, totalMax: number): ReadonlyMap<Key, number> {
  const sizes = [...held.values()].sort((a, b) => a - b)
  if (sizes.reduce((sum, size) => sum + size, 0) <= totalMax) return new Map()
  let rest = totalMax
  let share = 0
  for (const [place, size] of sizes.entries()) {
    share = Math.floor(rest / (sizes.length - place))
    if (size > share) break
    rest -= size
  }
  return new Map([...held].filter(([, size]) => size > share).map(([key]) => [key, share]))
}
