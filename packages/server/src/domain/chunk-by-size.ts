/** How much one slice holds at most. */
export type ChunkBounds = { readonly itemsMax: number; readonly bytesMax: number }

/** Cuts a list into slices in order, none of them empty; an item that has more bytes than a slice may hold is one alone. */
export function* chunkBySize<Item>(
  items: readonly Item[], { itemsMax, bytesMax }: ChunkBounds, bytesOf: (item: Item) => number,
): Generator<readonly Item[]> {
  let start = 0
  let byteCount = 0
  for (const [index, item] of items.entries()) {
    const length = bytesOf(item)
    if (index > start && (index - start === itemsMax || byteCount + length > bytesMax)) {
      yield items.slice(start, index)
      start = index
      byteCount = 0
    }
    byteCount += length
  }
  if (start < items.length) yield items.slice(start)
}
