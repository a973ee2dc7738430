import { isEqual, quote } from './bytes'
import { allocate } from './memory'
import { readText, textStart } from './unescape'
import { hasRun, getRunNeedle, runSize } from './runs'

// Multi-pattern search by q-grams (q = 4): a Bloom filter of grams passes over nearly every place of a value, a hash
// table of grams finds the needles of the others, which are then compared. Where possible each needle is indexed under
// four consecutive grams, and only every fourth place is read. Needles of two and three bytes have a Teddy-style filter
// or, where they are many, a table of hints by their first two bytes; needles that are anchored or are the whole value
// are looked up by their bytes.
//
// The layout, which the host builds; offsets are from its start, 0 for a part that is missing. Three words: the number
// of needles, the length of the shortest, and the lengths up to 6 of needles anchored at the start (bits 0 to 5) and at
// the end (6 to 11). Then the offset of the gram filter, the shift from a hash to its bit, and the stride between
// places, 1 or 4. Then the offset of the pair filter or of the pair hints; the offset of the single-byte entries and
// their number. Then the tables of grams, of pairs and of exact needles (anchored or whole). Then the offset and number
// of runs; last, whether numbers are searched, which are exact entries.
const countAt: usize = 0
const lengthMinAt: usize = 4
const edgesAt: usize = 8
const bitsAt: usize = 12
const bitShiftAt: usize = 16
const strideAt: usize = 20
const pairFilterAt: usize = 24
const pairHintsAt: usize = 28
const singlesAt: usize = 32
const singleCountAt: usize = 36
const gramTableAt: usize = 40
const pairTableAt: usize = 48
const exactTableAt: usize = 56
const runsAt: usize = 64
const runCountAt: usize = 68
const numbersAt: usize = 72

/** Offset of the pair bits in a pair filter. */
const pairBitsAt: usize = 96

// A table: the offset of its heads, and the shift from a key's hash to its head. A head is the offset of its first
// entry; the next head ends its entries. An entry: its key; the offset and length of its text; the position of the key
// in the text, above the bits of the anchor; the needle's number; and 4 bytes from the other end of a text that has as
// many, which rule out most needles with the same key before their texts are read.
const entrySize: usize = 24
const textAt: usize = 4
const lengthAt: usize = 8
const placeAt: usize = 12
const numberAt: usize = 16
const checkAt: usize = 20
const startBit: u32 = 1
const endBit: u32 = 2
const placeShift: u32 = 2

/** Every third byte passes: a needle has only two bytes. */
const allHints: u32 = 0xff

/** Digits of the longest integers that doubles always tell apart. */
const digitsMax: usize = 15

/** Bytes of the longest anchored needle that is looked up by the bytes at its edge. */
const edgeMax: u32 = 6

const multiplier: u32 = 0x9e37_79b1

/** By ASCII byte: 1 if the text contains it. */
const presentBytes: usize = memory.data(128, 16)

let layouts: usize = 0
/** The numbers of the needles found in one value. */
export let foundNeedles: usize = 0
/** By needle: the mark of the value in which it was found last; other entries of it may match in the same value. */
let marks: usize = 0
/** The mark of the value being searched. */
let mark: u32 = 0
/** The largest mark, which is one byte; after it the marks are cleared. */
const markMax: u32 = 255
let foundCount: u32 = 0
let foundMax: u32 = 0

export function configureNeedles(domainCount: u32): void {
  layouts = allocate(<usize>domainCount * 4)
}

/** Sets the needles of a domain. */
export function setNeedles(domain: u32, layout: usize): void {
  store<u32>(layouts + <usize>domain * 4, <u32>layout)
  const count = load<u32>(layout, countAt)
  if (count <= foundMax) return
  foundMax = count * 2
  foundNeedles = allocate(<usize>foundMax * 4)
  marks = allocate(<usize>foundMax)
}

/**
 * Finds the needles of a domain that a value contains and returns their count; their numbers are at `foundNeedles`, each
 * once, in an order that depends on the value alone. Returns -1 if the value is no string or not ASCII, if the domain
 * has no needles, or if numbers are searched and the value may be a number in another notation.
 */
export function findNeedles(domain: u32, start: usize, length: u32): i32 {
  const layout = <usize>load<u32>(layouts + <usize>domain * 4)
  if (layout == 0 || load<u8>(start) != quote) return -1
  const end = readText(start + 1, start + length - 1)
  if (end == 0) return -1
  if (load<u32>(layout, numbersAt) != 0 && mayBeOtherNumber(end)) return -1
  if (end - textStart < <usize>load<u32>(layout, lengthMinAt)) return 0
  foundCount = 0
  startMark()
  if (load<u32>(layout, bitsAt) != 0) {
    if (load<u32>(layout, strideAt) == 1) findGrams(layout, end, 1)
    else findGrams(layout, end, 4)
  }
  if (load<u32>(layout, pairFilterAt) != 0) findFilteredPairs(layout, end)
  if (load<u32>(layout, pairHintsAt) != 0) findPairs(layout, end)
  if (load<u32>(layout, singleCountAt) != 0) findSingles(layout, end)
  findExact(layout, end)
  if (load<u32>(layout, runCountAt) != 0) findRuns(layout, end)
  return foundCount
}

/** Whether the text may be a decimal number in another notation than plain digits. */
function mayBeOtherNumber(end: usize): bool {
  if (end == textStart) return false
  const first: u32 = load<u8>(textStart)
  if (!isDigit(first)) return first <= 0x20 || first == 0x2b || first == 0x2d || first == 0x2e
  // Hexadecimal notation counts as text, not as a number.
  if (first == 0x30 && end > textStart + 1) return load<u8>(textStart, 1) != 0x78
  if (end - textStart > digitsMax) return true
  for (let at = textStart + 1; at < end; at++) if (!isDigit(load<u8>(at))) return true
  return false
}

@inline
function isDigit(byte: u32): bool {
  return byte - 0x30 < 10
}

function startMark(): void {
  if (mark == markMax) {
    memory.fill(marks, 0, <usize>foundMax)
    mark = 0
  }
  mark++
}

/** Places tested before the needles of any are compared: their bits fit into one word. */
const blockLength: usize = 64

/**
 * Finds needles of four bytes and more by their grams: one bit rules out nearly every place. Places are tested without
 * branches, which would be mispredicted; reads go up to 28 bytes beyond the end.
 */
@inline
function findGrams(layout: usize, end: usize, stride: usize): void {
  const bits = layout + <usize>load<u32>(layout, bitsAt)
  const shift = load<u32>(layout, bitShiftAt)
  for (let block = textStart; block + 4 <= end; block += blockLength * stride) {
    let places: u64 = 0
    for (let i: usize = 0; i < blockLength && block + i * stride < end; i += 8) {
      const at = block + i * stride
      const eight = gramBit(bits, shift, at, 0, stride) | gramBit(bits, shift, at, 1, stride)
        | gramBit(bits, shift, at, 2, stride) | gramBit(bits, shift, at, 3, stride)
        | gramBit(bits, shift, at, 4, stride) | gramBit(bits, shift, at, 5, stride)
        | gramBit(bits, shift, at, 6, stride) | gramBit(bits, shift, at, 7, stride)
      places |= <u64>eight << <u64>i
    }
    places &= placesBefore((end - 4 - block) / stride + 1)
    for (; places != 0; places &= places - 1) {
      const found = block + <usize>ctz(places) * stride
      verifyEntries(layout, gramTableAt, load<u32>(found), found, end)
    }
  }
}

/** Finds short needles where they are many: by their first two bytes, and hints for the third one. */
function findPairs(layout: usize, end: usize): void {
  const hints = layout + <usize>load<u32>(layout, pairHintsAt)
  for (let block = textStart; block + 2 <= end; block += blockLength) {
    let places: u64 = 0
    for (let i: usize = 0; i < blockLength && block + i < end; i += 8) {
      const at = block + i
      const eight = pairBit(hints, at, 0) | pairBit(hints, at, 1) | pairBit(hints, at, 2) | pairBit(hints, at, 3)
        | pairBit(hints, at, 4) | pairBit(hints, at, 5) | pairBit(hints, at, 6) | pairBit(hints, at, 7)
      places |= <u64>eight << <u64>i
    }
    places &= placesBefore(end - 1 - block)
    for (; places != 0; places &= places - 1) {
      const found = block + <usize>ctz(places)
      verifyEntries(layout, pairTableAt, load<u32>(found) & 0xff_ffff, found, end)
      if (getHints(hints, found) == allHints) verifyEntries(layout, pairTableAt, load<u16>(found), found, end)
    }
  }
}

/**
 * Finds short needles where they are few with a Teddy-style filter, sixteen places at a time. The filter has eight
 * groups of needles, one bit each: 16 bytes by the low nibble of a pair's first byte, 16 by its high nibble; then the
 * same for the second byte and for the byte after the pair. A bitmap of all ASCII pairs follows the filter and rules
 * out most false positives.
 */
function findFilteredPairs(layout: usize, end: usize): void {
  const filter = layout + <usize>load<u32>(layout, pairFilterAt)
  for (let at = textStart; at + 2 <= end; at += 16) {
    const firstTwo = v128.and(getGroups(filter, at), getGroups(filter + 32, at + 1))
    const groups = v128.and(firstTwo, getGroups(filter + 64, at + 2))
    let places = <u64>i8x16.bitmask(i8x16.ne(groups, i8x16.splat(0))) & placesBefore(end - 1 - at)
    for (; places != 0; places &= places - 1) {
      const found = at + <usize>ctz(places)
      const pair: u32 = load<u16>(found)
      if (getBit(filter + pairBitsAt, (pair & 0x7f) | (pair >>> 8 << 7)) == 0) continue
      verifyEntries(layout, pairTableAt, load<u32>(found) & 0xff_ffff, found, end)
      verifyEntries(layout, pairTableAt, pair, found, end)
    }
  }
}

/** For 16 bytes, the groups that may have such a byte at this position. */
@inline
function getGroups(filter: usize, at: usize): v128 {
  const chunk = v128.load(at)
  const low = i8x16.swizzle(v128.load(filter), v128.and(chunk, i8x16.splat(0x0f)))
  return v128.and(low, i8x16.swizzle(v128.load(filter, 16), i8x16.shr_u(chunk, 4)))
}

/** A mask of the lowest `count` bits, at most 64. */
@inline
function placesBefore(count: usize): u64 {
  return count >= 64 ? ~(<u64>0) : ((<u64>1) << <u64>count) - 1
}

/** The filter's bit of the gram at a place, shifted to the bit of the place. */
@inline
function gramBit(bits: usize, shift: u32, at: usize, place: u32, stride: usize): u32 {
  return getBit(bits, (load<u32>(at + <usize>place * stride) * multiplier) >>> shift) << place
}

/** Whether a short needle may start at a place, as the bit of the place. */
@inline
function pairBit(hints: usize, at: usize, place: u32): u32 {
  const third: u32 = load<u8>(at + <usize>place + 2)
  return ((getHints(hints, at + <usize>place) >>> (third & 7)) & 1) << place
}

/** The hints for the two bytes at a place: a bit for each value of the lowest three bits that a third byte may have. */
@inline
function getHints(hints: usize, at: usize): u32 {
  return load<u8>(hints + <usize>load<u16>(at))
}

/** A bit as a number. */
@inline
function getBit(bits: usize, bit: u32): u32 {
  return (<u32>load<u8>(bits + <usize>(bit >>> 3)) >>> (bit & 7)) & 1
}

/** Finds needles of one byte: marks the bytes that the text contains, then tests each needle's byte. */
function findSingles(layout: usize, end: usize): void {
  memory.fill(presentBytes, 0, 128)
  for (let at = textStart; at < end; at++) store<u8>(presentBytes + <usize>load<u8>(at), 1)
  let entry = layout + <usize>load<u32>(layout, singlesAt)
  for (let rest = load<u32>(layout, singleCountAt); rest != 0; rest--) {
    if (load<u8>(presentBytes + <usize>load<u32>(entry)) != 0) addFound(entry)
    entry += entrySize
  }
}

/** Finds needles that are the whole text, and short ones anchored at its start or end. */
function findExact(layout: usize, end: usize): void {
  const length = <u32>(end - textStart)
  if (load<u32>(layout, exactTableAt) != 0) verifyEntries(layout, exactTableAt, hashWholeText(length, end), textStart, end)
  for (let edges = load<u32>(layout, edgesAt); edges != 0; edges &= edges - 1) {
    const edge: u32 = ctz(edges) + 1
    const size = edge <= edgeMax ? edge : edge - edgeMax
    if (size > length) continue
    const at = edge <= edgeMax ? textStart : end - <usize>size
    const word = size < 4 ? load<u32>(at) & (1 << 8 * size) - 1 : load<u32>(at)
    verifyEntries(layout, exactTableAt, word ^ (edge << 24), at, end)
  }
}

/** Hashes the length of the text and 4 bytes each of its start, middle and end. */
function hashWholeText(length: u32, end: usize): u32 {
  const last = length < 4 ? textStart : end - 4
  const middle = textStart + <usize>(length >>> 1)
  let key = length * multiplier ^ load<u32>(textStart)
  key = rotl<u32>(key * multiplier, 13) ^ load<u32>(middle)
  return rotl<u32>(key * multiplier, 13) ^ load<u32>(last)
}

/** Compares the needles of a key in a table with the text around the key and records those that match. */
function verifyEntries(layout: usize, table: usize, key: u32, at: usize, end: usize): void {
  const hash = (key * multiplier) >>> load<u32>(layout + table, 4)
  const head = layout + <usize>load<u32>(layout + table) + <usize>hash * 4
  const entriesEnd = layout + <usize>load<u32>(head, 4)
  for (let entry = layout + <usize>load<u32>(head); entry < entriesEnd; entry += entrySize) {
    if (load<u32>(entry) != key) continue
    const place = load<u32>(entry, placeAt)
    const start = at - <usize>(place >>> placeShift)
    const length = load<u32>(entry, lengthAt)
    if (start < textStart || <usize>length > end - start) continue
    if (length >= 4 && load<u32>(start + checkPlace(place >>> placeShift, length)) != load<u32>(entry, checkAt)) continue
    if (load<u8>(marks + <usize>load<u32>(entry, numberAt)) == mark) continue
    if ((place & startBit) != 0 && start != textStart) continue
    if ((place & endBit) != 0 && start + <usize>length != end) continue
    if (!isEqual(start, layout + <usize>load<u32>(entry, textAt), length)) continue
    addFound(entry)
  }
}

/** The position of the bytes compared first: at the end of the needle, or at its start if the key is nearer to the end. */
@inline
function checkPlace(place: u32, length: u32): usize {
  return place * 2 < length ? <usize>length - 4 : 0
}

function findRuns(layout: usize, end: usize): void {
  const runs = layout + <usize>load<u32>(layout, runsAt)
  const runsEnd = runs + <usize>load<u32>(layout, runCountAt) * runSize
  for (let run = runs; run != runsEnd; run += runSize) if (hasRun(run, end)) addFoundNumber(getRunNeedle(run))
}

@inline
function addFound(entry: usize): void {
  addFoundNumber(load<u32>(entry, numberAt))
}

function addFoundNumber(number: u32): void {
  store<u8>(marks + <usize>number, <u8>mark)
  store<u32>(foundNeedles + <usize>foundCount * 4, number)
  foundCount++
}
