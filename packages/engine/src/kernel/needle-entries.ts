import { computeRarity, readWord } from './byte-rarity.ts'

/** Text to look for in a value, case folded, and where in the value it has to stand. */
export type TextNeedle = { readonly anchor: 'whole' | 'start' | 'end' | 'anywhere'; readonly text: string }

/** At least so many characters in a row to look for in a value, each of which is, case folded, one of a text. */
export type RunNeedle = { readonly anchor: 'run'; readonly text: string; readonly least: number }

/** A number that a value states: itself in a string, or decimal text all through. Written as JavaScript writes it. */
export type NumberNeedle = { readonly anchor: 'number'; readonly text: string }

export type KernelNeedle = TextNeedle | RunNeedle | NumberNeedle

/** A run with its number. */
export type RunEntry = { readonly needle: RunNeedle; readonly number: number }

/** A needle under the key by which it is found: 1 to 4 bytes of its text at a place, or a hash of all of it. */
export type NeedleEntry = {
  readonly needle: TextNeedle
  readonly number: number
  readonly key: number
  readonly place: number
}

/** Entries by how they are found: by a gram, or by two or three bytes, at any place; by one byte; at an edge or as a whole; runs. */
export type NeedleEntries = {
  readonly grams: readonly NeedleEntry[]
  readonly pairs: readonly NeedleEntry[]
  readonly singles: readonly NeedleEntry[]
  readonly exact: readonly NeedleEntry[]
  readonly runs: readonly RunEntry[]
  /** From one place where a gram is looked for to the next: every needle has that many entries under grams. */
  readonly stride: 1 | 4
}

/** Bytes of a gram, and of the most that short needles are filed under, which is what the filter of pairs looks at. */
const gramLength = 4
const filterLength = 3
/** Bytes of the longest needle that is found by what stands at an edge. */
export const edgeLengthMax = 6

/**
 * Needles of 4 to 6 bytes that are looked for by pairs, so that every fourth place is enough for all others: 37
 * among 255 made that 1.7 times as fast, 94 among 1,246 a third slower.
 */
const midLengthNeedlesMax = 64
/** Needles of a domain that are filed four times: the bits of their grams take 64 KB, and 1 MB what is filed. */
const strideNeedlesMax = 8_192

/** Numbers that values mostly write in one way, digits alone; the kernel leaves all others to its host. */
const plainNumber = /^(?:0|[1-9]\d{0,14})$/

const multiplier = 0x9e3779b1
/** How far a hash is shifted where grams are counted: that two of them share a count does no harm. */
const countShift = 16
/** Where in the key of a short needle at an edge it is mixed in which edge that is, and its length. */
const edgeShift = 24

/**
 * Files each needle under a key, the one that is met most seldom; under four grams that follow each other where
 * every fourth place is looked at, because one of them stands there. Leaves out those that are not ASCII, and
 * empty ones that are not the whole value, which say nothing.
 */
export function buildNeedleEntries(needles: readonly KernelNeedle[]): NeedleEntries {
  const stride = chooseStride(needles)
  const grams: NeedleEntry[] = []
  const pairs: NeedleEntry[] = []
  const singles: NeedleEntry[] = []
  const exact: NeedleEntry[] = []
  const runs: RunEntry[] = []
  const counts = countGrams(needles)
  for (const [number, needle] of needles.entries()) {
    if (needle.anchor === 'run') {
      runs.push({ needle, number })
      continue
    }
    if (needle.anchor === 'number') {
      if (plainNumber.test(needle.text)) exact.push(createWholeEntry(needle.text, number))
      continue
    }
    const { anchor, text } = needle
    if (!isAscii(text) || (text === '' && anchor !== 'whole')) continue
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
  }
  return { grams, pairs, singles, exact, runs, stride }
}

function createWholeEntry(text: string, number: number): NeedleEntry {
  return { needle: { anchor: 'whole', text }, number, key: hashWholeText(text), place: 0 }
}

/** Every fourth place is enough where few needles are too short for that. */
function chooseStride(needles: readonly KernelNeedle[]): 1 | 4 {
  const middling = needles.filter(({ anchor, text: { length } }) => {
    return anchor === 'anywhere' && length >= gramLength && length <= edgeLengthMax
  })
  return middling.length <= midLengthNeedlesMax && needles.length <= strideNeedlesMax ? 4 : 1
}

/** How many needles have each gram, by a hash of it. */
function countGrams(needles: readonly KernelNeedle[]): Int32Array {
  const counts = new Int32Array(2 ** (32 - countShift)).fill(1)
  for (const { anchor, text } of needles) {
    if (anchor === 'run' || anchor === 'number') continue
    for (let at = 0; at + gramLength <= text.length; at++) {
      counts[hashKey(readWord(text, at, gramLength), countShift)]! += 1
    }
  }
  return counts
}

/**
 * Where in a text so many grams that follow each other begin which are rarest in events, the number of needles
 * that share them taken in.
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

/** The first of the places up to the last one that is rarest. */
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

/** Mixes the length of a text and 4 bytes from its start, its middle and its end. */
function hashWholeText(text: string): number {
  const { length } = text
  const mix = (key: number): number => {
    const product = Math.imul(key, multiplier)
    return (product << 13) | (product >>> 19)
  }
  const key = mix(Math.imul(length, multiplier) ^ readWord(text, 0, 4)) ^ readWord(text, length >>> 1, 4)
  return mix(key) ^ readWord(text, length < 4 ? 0 : length - 4, 4)
}

/** The high bits of a product, as many as the shift leaves. */
export function hashKey(key: number, shift: number): number {
  return Math.imul(key, multiplier) >>> shift
}

function isAscii(text: string): boolean {
  return !/[^\x00-\x7f]/.test(text)
}
