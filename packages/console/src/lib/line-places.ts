/** Lines that are rendered above and below what is visible. */
const overscan = 6

/** Where lines of different heights begin, one below the other; the last number is where all of them end. */
export function placeLines(heights: readonly number[]): readonly number[] {
  const tops = [0]
  let top = 0
  for (const height of heights) tops.push(top += height)
  return tops
}

/** The first line that ends below a position. */
export function findLine(tops: readonly number[], position: number): number {
  let [low, high] = [0, Math.max(0, tops.length - 2)]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (tops[middle + 1]! > position) high = middle
    else low = middle + 1
  }
  return low
}

/** The lines to render: those on screen and a few around them. */
export function listLines(tops: readonly number[], scrollTop: number, height: number): readonly number[] {
  const count = tops.length - 1
  const first = Math.max(0, findLine(tops, scrollTop) - overscan)
  const last = Math.min(count - 1, findLine(tops, scrollTop + height) + overscan)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
}

/** The scroll position that shows a line, moving as little as possible; of one that is higher than the screen its beginning. */
export function scrollToLine(tops: readonly number[], line: number, scrollTop: number, height: number): number {
  const [top = 0, end = top] = [tops[line], tops[line + 1]]
  if (top < scrollTop || end - top > height) return top
  return Math.max(scrollTop, end - height)
}
