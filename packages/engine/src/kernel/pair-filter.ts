import type { NeedleEntry } from './needle-entries.ts'

const groupCount = 8
/** The bytes that are looked at from where a pair begins: both of its own, and the one behind it. */
const byteCount = 3
/** By the low half of a byte, then by its high half: which groups may have it. */
const halfSize = 16

/**
 * Says of three bytes that follow each other which of eight groups of needles may have a pair there: for each of
 * the three, 16 bytes by the low half of it, then 16 by its high half, in each of which a bit stands for a group.
 * What all six have in common is the answer. Groups of entries with similar bytes let the least pass in error.
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

/** Orders entries of two bytes, which let any third one pass, before the others, and those by their bytes. */
function computeSortKey({ needle: { text }, key }: NeedleEntry): number {
  return (text.length === 2 ? 0 : 0x100_0000) + ((key & 0xff) << 16) + (key & 0xff00) + (key >>> 16)
}
