import { hashBytes, isEqual } from './bytes'
import { hostKeyCode } from './host'
import { allocate } from './memory'
import { hasEscapedText, setEscapedText, stringEnd } from './string'

// A remembered key: its length with the closing quote, its code, the key that followed it last time, marks,
// its hash; then its bytes. Keys of events follow each other in the same order again and again.
const lengthAt: usize = 0
const codeAt: usize = 4
const nextAt: usize = 8
const marksAt: usize = 12
const hashAt: usize = 16
const bytesAt: usize = 20

/** Bytes of the longest key that is remembered. */
const keyLengthMax: u32 = 1_024
/** Entries that are looked at before a key counts as unknown. */
const probesMax: u32 = 8

/** What the first key of an event follows. As a key it is a zero byte, which no string holds: the line is slow. */
const sentinelKey: usize = memory.data<u32>([1, 0xffff_fffe, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 16)
/** A key that is too long to remember, until the next one; it never follows another. */
const uncachedKey: usize = memory.data<u32>([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 16)

let table: usize = 0
let tableMask: u32 = 0
let countMax: u32 = 0
let count: u32 = 0
let bytes: usize = 0
let bytesEnd: usize = 0
let nextRecord: usize = 0
let previous: usize = sentinelKey

export let keysForgotten: f64 = 0
export let keyMisses: f64 = 0

/** Makes room for so many keys, a power of two, and so many bytes of them. */
export function configureKeys(keyCount: u32, byteCount: u32): void {
  countMax = keyCount
  tableMask = keyCount * 2 - 1
  table = allocate(<usize>keyCount * 8)
  bytes = allocate(byteCount)
  bytesEnd = bytes + byteCount
  clearKeys()
}

export function clearKeys(): void {
  memory.fill(table, 0, (<usize>tableMask + 1) * 4)
  nextRecord = bytes
  count = 0
  store<u32>(sentinelKey, sentinelKey, nextAt)
  previous = sentinelKey
}

/** Says that the next key is the first one of an event. */
@inline
export function beginKeys(): void {
  previous = sentinelKey
}

/**
 * The key that begins after an opening quote, for the functions below; 0 when JSON has no such string.
 * Asks the host at most once for as long as the key is remembered.
 */
@inline
export function readKey(at: usize): usize {
  const expected = <usize>load<u32>(previous, nextAt)
  const key = isEqual(at, expected + bytesAt, load<u32>(expected)) ? expected : findKey(at)
  previous = key
  return key
}

@inline
export function keyLength(key: usize): u32 {
  return load<u32>(key, lengthAt)
}

@inline
export function keyCode(key: usize): i32 {
  return load<i32>(key, codeAt)
}

/** Whether the key writes plain characters by escapes. */
@inline
export function hasEscapedAscii(key: usize): bool {
  return load<u32>(key, marksAt) != 0
}

function findKey(at: usize): usize {
  const wasEscaped = hasEscapedText
  setEscapedText(false)
  const end = stringEnd(at)
  const isEscaped = hasEscapedText
  setEscapedText(wasEscaped)
  if (end == 0) return 0
  const length = <u32>(end + 1 - at)
  if (length > keyLengthMax) return readUncachedKey(at, length, isEscaped)
  const hash = hashBytes(at, length, 0)
  const key = findCachedKey(at, length, hash)
  const found = key != 0 ? key : addKey(at, length, hash, isEscaped)
  store<u32>(previous, <u32>found, nextAt)
  return found
}

function findCachedKey(at: usize, length: u32, hash: u32): usize {
  for (let probe: u32 = 0; probe < probesMax; probe++) {
    const key = <usize>load<u32>(table + <usize>((hash + probe) & tableMask) * 4)
    if (key == 0) return 0
    if (load<u32>(key, hashAt) == hash && load<u32>(key) == length && isEqual(at, key + bytesAt, length)) return key
  }
  return 0
}

function readUncachedKey(at: usize, length: u32, isEscaped: bool): usize {
  keyMisses += 1
  const code = hostKeyCode(at, length - 1)
  writeRecord(uncachedKey, length, code, 0, isEscaped)
  return uncachedKey
}

function addKey(at: usize, length: u32, hash: u32, isEscaped: bool): usize {
  keyMisses += 1
  const code = hostKeyCode(at, length - 1)
  if (count == countMax || nextRecord + bytesAt + length + 16 > bytesEnd) {
    clearKeys()
    keysForgotten += 1
  }
  const key = nextRecord
  writeRecord(key, length, code, hash, isEscaped)
  memory.copy(key + bytesAt, at, length)
  nextRecord = (key + bytesAt + length + 3) & ~(<usize>3)
  count++
  store<u32>(findFreePlace(hash), <u32>key)
  return key
}

function writeRecord(key: usize, length: u32, code: i32, hash: u32, isEscaped: bool): void {
  store<u32>(key, length, lengthAt)
  store<i32>(key, code, codeAt)
  store<u32>(key, <u32>sentinelKey, nextAt)
  store<u32>(key, isEscaped ? 1 : 0, marksAt)
  store<u32>(key, hash, hashAt)
}

/** The place in the table for a new key: the first free one, or where its hash leads when there is none. */
function findFreePlace(hash: u32): usize {
  for (let probe: u32 = 0; probe < probesMax; probe++) {
    const place = table + <usize>((hash + probe) & tableMask) * 4
    if (load<u32>(place) == 0) return place
  }
  return table + <usize>(hash & tableMask) * 4
}
