import { isEqual, quote } from './bytes'
import { allocate } from './memory'
import { readText, textStart } from './unescape'
import { hasRun, getRunNeedle, runSize } from './runs'

// Needles of a domain, as the host lays them out; offsets are from the layout's start. Three words: how many
// needles there are, the length of the shortest, and which lengths of up to 6 needles at the start (bits 0 to 5)
// and at the end (6 to 11) have. Then where the bits of grams are, how far a hash is shifted to get the number of
// one, and from one place that is looked at to the next: 1, or 4 where each needle is filed under four grams that
// follow each other. Then where the filter of pairs is, or where they are many, their hints; where the entries of
// single bytes are, and how many. Then the tables of grams, of pairs and of what stands at an edge or is the whole
// value. Then where runs are, and how many; then whether numbers are looked for, which are entries like others: what
// is the whole value. What is not there is at 0.
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

/** In a filter of pairs. */
const pairBitsAt: usize = 96

// A table: where its heads are, and how far a hash of a key is shifted to get the number of one. A head is where
// the entries of that number begin; the next head is where they end. An entry: its key; where its text is, and
// how long; where in its text the key stands, above the anchor; the needle's number; and 4 bytes of a text that has
// as many, from its other end: most needles that share a key are told apart without a look at their text.
const entrySize: usize = 24
const textAt: usize = 4
const lengthAt: usize = 8
const placeAt: usize = 12
const numberAt: usize = 16
const checkAt: usize = 20
const startBit: u32 = 1
const endBit: u32 = 2
const placeShift: u32 = 2

/** Whatever the third byte is: a needle has only two. */
const allHints: u32 = 0xff

/** Digits of the longest number that has, as a number of 64 bits with a point, a text of its own. */
const digitsMax: usize = 15

/** Bytes of the longest needle that is found by what stands at an edge. */
const edgeMax: u32 = 6

const multiplier: u32 = 0x9e37_79b1

/** By ASCII byte: 1 when the text has it. */
const presentBytes: usize = memory.data(128, 16)

let layouts: usize = 0
/** The numbers of the needles that are found in one value. */
export let foundNeedles: usize = 0
/** By number: the mark of the value in which the needle was found last; it may be met again, by another entry. */
let marks: usize = 0
/** The mark of the value that is searched. */
let mark: u32 = 0
/** The most that a mark can be, which has one byte: then they begin anew. */
const markMax: u32 = 255
let foundCount: u32 = 0
let foundMax: u32 = 0

export function configureNeedles(domainCount: u32): void {
  layouts = allocate(<usize>domainCount * 4)
}

/** Gives a domain its needles. */
export function setNeedles(domain: u32, layout: usize): void {
  store<u32>(layouts + <usize>domain * 4, <u32>layout)
  const count = load<u32>(layout, countAt)
  if (count <= foundMax) return
  foundMax = count * 2
  foundNeedles = allocate(<usize>foundMax * 4)
  marks = allocate(<usize>foundMax)
}

/**
 * Finds the needles of a domain that stand in a value, and answers how many; their numbers are then at
 * `foundNeedles`, each once, in an order that follows from the value. MemoTable -1 when the value is no string, or not
 * ASCII, or the domain has no needles, or a number is looked for that the value may write in another way.
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

/** Whether the text may be a decimal number that is not written in the shortest way, as digits alone. */
function mayBeOtherNumber(end: usize): bool {
  if (end == textStart) return false
  const first: u32 = load<u8>(textStart)
  if (!isDigit(first)) return first <= 0x20 || first == 0x2b || first == 0x2d || first == 0x2e
  // A hexadecimal number states none (D-8).
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

/** How many places are looked at before what may stand there is compared: their bits are one number. */
const blockLength: usize = 64

/**
 * Finds needles that have a gram: nearly every place is settled by one bit. Places are looked at without a branch,
 * because where bits are set cannot be foreseen; they may lie up to 28 bytes beyond the end.
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

/** Finds short needles where they are many: by two of their bytes, and what hints say of the third one. */
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
 * Finds short needles where they are few, sixteen places at a time. The filter has eight groups of needles, a bit
 * of a byte for each: 16 bytes say by the low half of a byte which groups have a pair that may begin with it, 16
 * by its high half; then the same of the pair's second byte, and of the byte behind the pair. Behind the filter
 * there is a bit for each pair of ASCII, which settles most places that pass it in error.
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

/** Which groups may have each of 16 bytes. */
@inline
function getGroups(filter: usize, at: usize): v128 {
  const chunk = v128.load(at)
  const low = i8x16.swizzle(v128.load(filter), v128.and(chunk, i8x16.splat(0x0f)))
  return v128.and(low, i8x16.swizzle(v128.load(filter, 16), i8x16.shr_u(chunk, 4)))
}

/** The lowest bits, so many as there are places, at most 64 of them. */
@inline
function placesBefore(count: usize): u64 {
  return count >= 64 ? ~(<u64>0) : ((<u64>1) << <u64>count) - 1
}

/** The bit of the gram at a place, moved to that of the place. */
@inline
function gramBit(bits: usize, shift: u32, at: usize, place: u32, stride: usize): u32 {
  return getBit(bits, (load<u32>(at + <usize>place * stride) * multiplier) >>> shift) << place
}

/** Whether a short needle may stand at a place, as the bit of the place. */
@inline
function pairBit(hints: usize, at: usize, place: u32): u32 {
  const third: u32 = load<u8>(at + <usize>place + 2)
  return ((getHints(hints, at + <usize>place) >>> (third & 7)) & 1) << place
}

/** By the two bytes at a place: a bit for each value of the lowest three of the third one that a needle may have. */
@inline
function getHints(hints: usize, at: usize): u32 {
  return load<u8>(hints + <usize>load<u16>(at))
}

/** A bit as a number. */
@inline
function getBit(bits: usize, bit: u32): u32 {
  return (<u32>load<u8>(bits + <usize>(bit >>> 3)) >>> (bit & 7)) & 1
}

/** Finds needles of one byte: marks the bytes that the text has, then looks at what each needle wants. */
function findSingles(layout: usize, end: usize): void {
  memory.fill(presentBytes, 0, 128)
  for (let at = textStart; at < end; at++) store<u8>(presentBytes + <usize>load<u8>(at), 1)
  let entry = layout + <usize>load<u32>(layout, singlesAt)
  for (let rest = load<u32>(layout, singleCountAt); rest != 0; rest--) {
    if (load<u8>(presentBytes + <usize>load<u32>(entry)) != 0) addFound(entry)
    entry += entrySize
  }
}

/** Finds needles that are the whole text, and short ones at its start or end. */
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

/** Mixes the length of the text and 4 bytes from its start, its middle and its end. */
function hashWholeText(length: u32, end: usize): u32 {
  const last = length < 4 ? textStart : end - 4
  const middle = textStart + <usize>(length >>> 1)
  let key = length * multiplier ^ load<u32>(textStart)
  key = rotl<u32>(key * multiplier, 13) ^ load<u32>(middle)
  return rotl<u32>(key * multiplier, 13) ^ load<u32>(last)
}

/** Takes the needles that have a key in a table, of which one stands at a place of the text, if all of them does. */
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

/** Where the bytes begin that are compared first: at the end of the text, or at its start when the key is nearer to the end. */
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
