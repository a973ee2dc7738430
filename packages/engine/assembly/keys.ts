import { hashBytes, isEqual } from './bytes'
import { hostKeyCode } from './host'
import { allocate } from './memory'
import { hasEscapedText, setEscapedText, stringEnd } from './string'

// A hash table of keys with successor prediction: events repeat their keys in the same order, so each key remembers the
// one that followed it last. A record: the key's length with the closing quote, its code, its successor, flags, its
// hash; then its bytes.
const lengthAt: usize = 0
const codeAt: usize = 4
const nextAt: usize = 8
const marksAt: usize = 12
const hashAt: usize = 16
const bytesAt: usize = 20

/** Bytes of the longest key that is cached. */
const keyLengthMax: u32 = 1_024
/** Entries probed before a key counts as unknown. */
const probesMax: u32 = 8

/** The predecessor of an event's first key. As a key it is a zero byte, which no JSON string contains: the line is slow. */
const sentinelKey: usize = memory.data<u32>([1, 0xffff_fffe, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 16)
/** The current key if it is too long to cache; it is never the successor of another. */
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

/** Reserves memory for `keyCount` keys, a power of two, and `byteCount` bytes of them. */
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

/** Starts an event: the next key is its first. */
@inline
export function beginKeys(): void {
  previous = sentinelKey
}

/**
 * The record of the key that starts after an opening quote, for the functions below; 0 if it is no JSON string. Calls
 * the host once for as long as the key stays in the cache.
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

/** Whether the key writes ASCII characters as escapes. */
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

/** The place in the table for a new key: the first free one, or the first one probed if none is free. */
function findFreePlace(hash: u32): usize {
  for (let probe: u32 = 0; probe < probesMax; probe++) {
    const place = table + <usize>((hash + probe) & tableMask) * 4
    if (load<u32>(place) == 0) return place
  }
  return table + <usize>(hash & tableMask) * 4
}
