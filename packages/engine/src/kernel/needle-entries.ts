import { rarityAt, wordAt } from './byte-rarity.ts'

/** Text to look for in a value, case folded, and where in the value it has to stand. */
export type KernelNeedle = { readonly anchor: 'whole' | 'start' | 'end' | 'anywhere'; readonly text: string }

/** A needle under the key by which it is found: 1 to 4 bytes of its text at a place, or a hash of all of it. */
export type NeedleEntry = {
  readonly needle: KernelNeedle
  readonly number: number
  readonly key: number
  readonly place: number
}

/** Entries by how they are found: by a gram or a pair of bytes at any place, by one byte, at an edge or as a whole. */
export type NeedleEntries = { readonly [kind in 'grams' | 'pairs' | 'singles' | 'exact']: readonly NeedleEntry[] }

/** Bytes of a gram, of a pair, and of the longest needle that is found without a gram. */
const gramLength = 4
const pairLength = 2
export const shortLengthMax = 3

const multiplier = 0x9e3779b1
/** How far a hash is shifted where grams are counted: that two of them share a count does no harm. */
const countShift = 16
/** Where in the key of a short needle at an edge it stands which edge that is, and its length. */
const edgeShift = 24

/**
 * Files each needle under a key, the one that is met most seldom. Leaves out those that are not ASCII, and empty
 * ones that are not the whole value, which say nothing.
 */
export function fileNeedles(needles: readonly KernelNeedle[]): NeedleEntries {
  const entries: { [kind in keyof NeedleEntries]: NeedleEntry[] } = { grams: [], pairs: [], singles: [], exact: [] }
  const counts = gramCountsOf(needles)
  for (const [number, needle] of needles.entries()) {
    const { anchor, text } = needle
    if (!isAscii(text) || (text === '' && anchor !== 'whole')) continue
    if (anchor === 'whole') {
      entries.exact.push({ needle, number, key: wholeKey(text), place: 0 })
    } else if (text.length > shortLengthMax) {
      const place = gramPlace(text, counts)
      entries.grams.push({ needle, number, key: wordAt(text, place, gramLength), place })
    } else if (anchor !== 'anywhere') {
      const edge = anchor === 'start' ? text.length : text.length + shortLengthMax
      entries.exact.push({ needle, number, key: wordAt(text, 0, text.length) | (edge << edgeShift), place: 0 })
    } else if (text.length === 1) {
      entries.singles.push({ needle, number, key: text.charCodeAt(0), place: 0 })
    } else {
      const place = rarestPlace(text.length - pairLength, (at) => rarityAt(text, at, pairLength))
      entries.pairs.push({ needle, number, key: wordAt(text, place, pairLength), place })
    }
  }
  return entries
}

/** How many needles have each gram, by a hash of it. */
function gramCountsOf(needles: readonly KernelNeedle[]): Int32Array {
  const counts = new Int32Array(2 ** (32 - countShift)).fill(1)
  for (const { text } of needles) {
    for (let at = 0; at + gramLength <= text.length; at++) {
      counts[hashOf(wordAt(text, at, gramLength), countShift)]! += 1
    }
  }
  return counts
}

/** Where in a text the gram stands that is rarest in events, the number of needles that share it taken in. */
function gramPlace(text: string, counts: Int32Array): number {
  return rarestPlace(text.length - gramLength, (at) => {
    const count = counts[hashOf(wordAt(text, at, gramLength), countShift)] ?? 0
    return rarityAt(text, at, gramLength) - Math.log(count)
  })
}

/** The first of the places up to the last one that is rarest. */
function rarestPlace(last: number, rarityOf: (at: number) => number): number {
  let best = 0
  let bestRarity = -Infinity
  for (let at = 0; at <= last; at++) {
    const rarity = rarityOf(at)
    if (rarity <= bestRarity) continue
    best = at
    bestRarity = rarity
  }
  return best
}

/** Mixes the length of a text and 4 bytes from its start, its middle and its end. */
function wholeKey(text: string): number {
  const { length } = text
  const mix = (key: number): number => {
    const product = Math.imul(key, multiplier)
    return (product << 13) | (product >>> 19)
  }
  const key = mix(Math.imul(length, multiplier) ^ wordAt(text, 0, 4)) ^ wordAt(text, length >>> 1, 4)
  return mix(key) ^ wordAt(text, length < 4 ? 0 : length - 4, 4)
}

/** The high bits of a product, as many as the shift leaves. */
export function hashOf(key: number, shift: number): number {
  return Math.imul(key, multiplier) >>> shift
}

function isAscii(text: string): boolean {
  return !/[^\x00-\x7f]/.test(text)
}
