/** The part of a list that is on screen. */
type Viewport = { readonly scrollTop: number; readonly height: number; readonly rowHeight: number; readonly rowCount: number }

/** Rows that are rendered above and below what is visible. */
const overscan = 6

/**
 * The rows to render, by slot: a slot keeps its element while rows pass through it, because creating and removing elements
 * costs more than all else when a list scrolls. Row `i` is always in slot `i % count`.
 */
export function listSlots({
  scrollTop,
  height,
  rowHeight,
  rowCount,
}: Viewport): readonly { readonly slot: number; readonly row: number }[] {
  const count = Math.min(rowCount, Math.ceil(height / rowHeight) + 1 + 2 * overscan)
  const first = Math.max(0, Math.min(rowCount - count, Math.floor(scrollTop / rowHeight) - overscan))
  return Array.from({ length: count }, (_, slot) => ({ slot, row: first + ((((slot - first) % count) + count) % count) }))
}

/** The scroll position that shows a row whole, moving as little as possible. */
export function scrollToRow(row: number, { scrollTop, height, rowHeight }: Viewport): number {
  const top = row * rowHeight
  if (top < scrollTop) return top
  return Math.max(scrollTop, top + rowHeight - height)
}
