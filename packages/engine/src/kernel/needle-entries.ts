import { mapInSteps } from '../step-work.ts'
import type { WorkSteps } from '../step-work.ts'
import { computeRarity, readWord } from './byte-rarity.ts'

/** Case-folded text to search for, and where in the value it must be. */
export type TextNeedle = { readonly anchor: 'whole' | 'start' | 'end' | 'anywhere'; readonly text: string }

/** At least `least` consecutive characters, each of which is, case folded, one of `text`. */
export type RunNeedle = { readonly anchor: 'run'; readonly text: string; readonly least: number }

/** A number that is the whole value, as a string of decimal digits. Printed as JavaScript prints it. */
type NumberNeedle = { readonly anchor: 'number'; readonly text: string }

export type KernelNeedle = TextNeedle | RunNeedle | NumberNeedle

/** A run with its number. */
export type RunEntry = { readonly needle: RunNeedle; readonly number: number }

/** A needle with its search key: 1 to 4 bytes of its text at a place, or a hash of the whole text. */
export type NeedleEntry = {
  readonly needle: TextNeedle
  readonly number: number
  readonly key: number
  readonly place: number
}

/** Entries by search method: grams, pairs of two or three bytes, single bytes, exact (anchored or whole), and runs. */
type NeedleEntries = {
  readonly grams: readonly NeedleEntry[]
  readonly pairs: readonly NeedleEntry[]
  readonly singles: readonly NeedleEntry[]
  readonly exact: readonly NeedleEntry[]
  readonly runs: readonly RunEntry[]
  /** The distance between the places where grams are read, and the number of gram entries of each needle. */
  readonly stride: 1 | 4
}

/** Bytes of a gram, and the maximum bytes of a short needle's key, which the pair filter tests. */
const gramLength = 4
const filterLength = 3
/** Bytes of the longest anchored needle that is looked up by the bytes at its edge. */
export const edgeLengthMax = 6

/**
 * Needles of 4 to 6 bytes that are searched as pairs, so a stride of 4 is possible for the others: 37 among 255 made the
 * search 1.7 times as fast, 94 among 1,246 made it a third slower.
 */
const midLengthNeedlesMax = 64
/** Needles of a domain with a stride of 4, which have four entries each: 64 KB of gram bits, and 1 MB of entries. */
const strideNeedlesMax = 8_192

/** Numbers whose usual notation is plain digits; the host searches for all others. */
const plainNumber = /^(?:0|[1-9]\d{0,14})$/

const multiplier = 0x9e3779b1
/** The shift of hashes that count grams: collisions are harmless. */
const countShift = 16
/** The shift in the key of a short anchored needle of its edge and length. */
const edgeShift = 24

/**
 * Chooses the rarest key of each needle, or the rarest four consecutive grams with a stride of 4, because one of them is
 * at every fourth place. Skips needles that are not ASCII, and empty ones that are not the whole value.
 */
export function* buildNeedleEntries(needles: readonly KernelNeedle[]): WorkSteps<NeedleEntries> {
  const stride = chooseStride(needles)
  const grams: NeedleEntry[] = []
  const pairs: NeedleEntry[] = []
  const singles: NeedleEntry[] = []
  const exact: NeedleEntry[] = []
  const runs: RunEntry[] = []
  const counts = yield* countGrams(needles)
  yield* mapInSteps(needles, (needle, number) => {
    if (needle.anchor === 'run') {
      runs.push({ needle, number })
      return
    }
    if (needle.anchor === 'number') {
      if (plainNumber.test(needle.text)) exact.push(createWholeEntry(needle.text, number))
      return
    }
    const { anchor, text } = needle
    if (!isAscii(text) || (text === '' && anchor !== 'whole')) return
    if (anchor === 'whole') {
      exact.push(createWholeEntry(text, number))
    } else if (text.length >= gramLength + stride - 1) {
      const first = findRarestGrams(text, counts, stride)
      for (let place = first; place < first + stride; place++) {
        grams.push({ needle, number, key: readWord(text, place, gramLength), place })
      }
    } else if (anchor !== 'anywhere') {
      const edge = anchor === 'start' ? text.length : text.length + edgeLengthMax
      exact.push({ needle, number, key: readWord(text, 0, gramLength) ^ (edge << edgeShift), place: 0 })
    } else if (text.length === 1) {
      singles.push({ needle, number, key: text.charCodeAt(0), place: 0 })
    } else {
      const length = Math.min(text.length, filterLength)
      const place = findRarestPlace(text.length - length, (at) => computeRarity(text, at, length))
      pairs.push({ needle, number, key: readWord(text, place, length), place })
    }
  }, weighNeedle)
  return { grams, pairs, singles, exact, runs, stride }
}

/** The work units of a needle, which grow with its text. */
export function weighNeedle({ text }: { readonly text: string }): number {
  return 1 + (text.length >>> 5)
}

function createWholeEntry(text: string, number: number): NeedleEntry {
  return { needle: { anchor: 'whole', text }, number, key: hashWholeText(text), place: 0 }
}

/** Chooses a stride of 4 if few needles are too short for it. */
function chooseStride(needles: readonly KernelNeedle[]): 1 | 4 {
  const middling = needles.filter(({ anchor, text: { length } }) => {
    return anchor === 'anywhere' && length >= gramLength && length <= edgeLengthMax
  })
  return middling.length <= midLengthNeedlesMax && needles.length <= strideNeedlesMax ? 4 : 1
}

/** Counts the needles with each gram, by its hash. */
function* countGrams(needles: readonly KernelNeedle[]): WorkSteps<Int32Array> {
  const counts = new Int32Array(2 ** (32 - countShift)).fill(1)
  yield* mapInSteps(needles, ({ anchor, text }) => {
    if (anchor === 'run' || anchor === 'number') return
    for (let at = 0; at + gramLength <= text.length; at++) {
      counts[hashKey(readWord(text, at, gramLength), countShift)]! += 1
    }
  }, weighNeedle)
  return counts
}

/**
 * The start of the `stride` consecutive grams of a text that are rarest in events, weighted by the number of needles that
 * share them.
 */
function findRarestGrams(text: string, counts: Int32Array, stride: number): number {
  const frequencies = new Float64Array(text.length - gramLength + 1)
  for (let at = 0; at < frequencies.length; at++) {
    const count = counts[hashKey(readWord(text, at, gramLength), countShift)] ?? 0
    frequencies[at] = count * Math.exp(-computeRarity(text, at, gramLength))
  }
  return findRarestPlace(frequencies.length - stride, (at) => {
    let sum = 0
    for (let i = at; i < at + stride; i++) sum += frequencies[i]!
    return -sum
  })
}

/** The first of the rarest places from 0 to `last`. */
function findRarestPlace(last: number, rarityOf: (at: number) => number): number {
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

/** Hashes the length of a text and 4 bytes each of its start, middle and end. */
function hashWholeText(text: string): number {
  const { length } = text
  const mix = (key: number): number => {
    const product = Math.imul(key, multiplier)
    return (product << 13) | (product >>> 19)
  }
  const key = mix(Math.imul(length, multiplier) ^ readWord(text, 0, 4)) ^ readWord(text, length >>> 1, 4)
  return mix(key) ^ readWord(text, length < 4 ? 0 : length - 4, 4)
}

/** Multiplicative (Fibonacci) hash: the bits of the product that the shift leaves. */
export function hashKey(key: number, shift: number): number {
  return Math.imul(key, multiplier) >>> shift
}

function isAscii(text: string): boolean {
  return !/[^\x00-\x7f]/.test(text)
}
