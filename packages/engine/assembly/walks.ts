import { hashOf, isSame } from './bytes'
import { hostResultOf } from './host'
import { allocate } from './memory'
import { allocateTables, entrySize, firstCount, tableOf } from './tables'

// What came of the walks of events: of where a section begins and the classes that were met, in order. An entry: hash,
// how many bytes they take, where these are kept (0 for a free entry), result.
const lengthAt: usize = 4
const bytesAt: usize = 8
const resultAt: usize = 12

/** Bytes of a walk of a dozen classes, as most have. */
const walkBytes: usize = 64
/** Bytes of the longest walk that is remembered. */
const lengthMax: usize = 1_024
/** Entries that are looked at before a walk counts as unknown; a new walk drops one when all are taken. */
const probesMax: u32 = 8

let tables: usize = 0
let table: usize = 0
let tableMask: u32 = 0
let countMax: u32 = 0
let count: u32 = 0
let bytes: usize = 0
let bytesEnd: usize = 0
let freeBytes: usize = 0

/** The walk at hand: where it began, and the classes that were met. */
let walk: usize = 0
let walkEnd: usize = 0

export let walkMisses: f64 = 0
export let walksForgotten: f64 = 0

/** Makes room for so many walks, a power of two, each of up to so many classes. */
export function configureWalks(walkCount: u32, classCount: u32): void {
  const byteCount = max<usize>(<usize>walkCount * walkBytes, 2 * lengthMax)
  countMax = walkCount
  tables = allocateTables(walkCount * 2)
  useTable(firstCount(walkCount * 2))
  walk = allocate(<usize>classCount * 4 + 32)
  bytes = allocate(byteCount)
  bytesEnd = bytes + byteCount
  freeBytes = bytes
}

export function forgetWalks(): void {
  memory.fill(table, 0, (<usize>tableMask + 1) * entrySize)
  freeBytes = bytes
  count = 0
}

@inline
export function beginWalk(section: i32): void {
  store<i32>(walk, section)
  walkEnd = walk + 4
}

/** Goes on with a class that matters. */
@inline
export function meet(cls: i32): void {
  store<i32>(walkEnd, cls)
  walkEnd += 4
}

/** What the walk comes to, remembered or asked of the host. */
export function endWalk(): i32 {
  const length = <u32>(walkEnd - walk)
  const hash = hashOf(walk, length, 0)
  for (let probe: u32 = 0; probe < probesMax; probe++) {
    const entry = entryAt(hash + probe)
    const kept = <usize>load<u32>(entry, bytesAt)
    if (kept == 0) break
    if (load<u32>(entry) == hash && load<u32>(entry, lengthAt) == length && isSame(walk, kept, length)) {
      return load<i32>(entry, resultAt)
    }
  }
  walkMisses += 1
  const result = hostResultOf(walk, length / 4)
  if (<usize>length <= lengthMax) remember(hash, length, result)
  return result
}

@inline
function entryAt(hash: u32): usize {
  return table + <usize>(hash & tableMask) * entrySize
}

function remember(hash: u32, length: u32, result: i32): void {
  if (count == countMax || freeBytes + length + 16 > bytesEnd) {
    forgetWalks()
    walksForgotten += 1
  } else if (count * 2 > tableMask) {
    growTable()
  }
  const kept = freeBytes
  memory.copy(kept, walk, length)
  freeBytes = (kept + length + 7) & ~(<usize>7)
  count++
  put(hash, length, kept, result)
}

/** Half of a table is taken at most. */
function growTable(): void {
  const old = table
  const oldEnd = entryAt(tableMask) + entrySize
  useTable((tableMask + 1) * 2)
  for (let entry = old; entry != oldEnd; entry += entrySize) {
    const kept = <usize>load<u32>(entry, bytesAt)
    if (kept != 0) put(load<u32>(entry), load<u32>(entry, lengthAt), kept, load<i32>(entry, resultAt))
  }
}

function useTable(entryCount: u32): void {
  tableMask = entryCount - 1
  table = tableOf(tables, entryCount)
}

function put(hash: u32, length: u32, kept: usize, result: i32): void {
  const entry = placeFor(hash)
  store<u32>(entry, hash)
  store<u32>(entry, length, lengthAt)
  store<u32>(entry, <u32>kept, bytesAt)
  store<i32>(entry, result, resultAt)
}

/** The first free entry, or one of those that are taken: which one, bits of the hash say that chose none so far. */
function placeFor(hash: u32): usize {
  for (let probe: u32 = 0; probe < probesMax; probe++) {
    const entry = entryAt(hash + probe)
    if (load<u32>(entry, bytesAt) == 0) return entry
  }
  return entryAt(hash + (hash >>> 29))
}
