import type { NeedleEntry } from './needle-entries.ts'

const groupCount = 8
/** The bytes that the filter tests: both of the pair, and the one after it. */
const byteCount = 3
/** Entries of a nibble table. */
const halfSize = 16

/**
 * Builds the Teddy-style nibble tables for short needles, in eight groups with one bit each: for each of three
 * consecutive bytes, 16 bytes by its low nibble, then 16 by its high nibble. A group may match where its bit is set in
 * all six. Sorting puts entries with similar bytes into one group, which keeps false positives rare.
 */
export function buildPairFilter(entries: readonly NeedleEntry[]): Uint8Array {
  const filter = new Uint8Array(byteCount * 2 * halfSize)
  const sorted = entries.toSorted((a, b) => computeSortKey(a) - computeSortKey(b))
  for (const [index, { needle: { text }, place }] of sorted.entries()) {
    const group = 1 << Math.floor(index * groupCount / sorted.length)
    for (let i = 0; i < byteCount; i++) {
      const halves = filter.subarray(i * 2 * halfSize, (i + 1) * 2 * halfSize)
      const byte = text.charCodeAt(place + i)
      const isAny = place + i >= text.length
      for (let half = 0; half < halfSize; half++) {
        if (isAny || half === (byte & 0xf)) halves[half]! |= group
        if (isAny || half === byte >>> 4) halves[halfSize + half]! |= group
      }
    }
  }
  return filter
}

/** Orders two-byte entries, which any third byte passes, before the others, and both by their bytes. */
function computeSortKey({ needle: { text }, key }: NeedleEntry): number {
  return (text.length === 2 ? 0 : 0x100_0000) + ((key & 0xff) << 16) + (key & 0xff00) + (key >>> 16)
}
