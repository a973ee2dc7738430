/** Maximum size of one chunk. */
type ChunkBounds = { readonly itemsMax: number; readonly bytesMax: number }

/** Splits a list into non-empty chunks, in order; an item larger than the maximum gets its own chunk. */
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
