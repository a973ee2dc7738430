import { hashOf, isSame } from './bytes'
import { hostClassOf } from './host'
import { allocate } from './memory'
import { forgetSlotClasses } from './slots'
import { allocateTables, entrySize, firstCount, tableOf } from './tables'

// An entry: hash, length below the domain, where the bytes are kept (0 for a free entry), class.
const labelAt: usize = 4
const bytesAt: usize = 8
const classAt: usize = 12

/** Bits of an entry that hold the length. */
const lengthBits: u32 = 12
/** Bytes of the longest value that is remembered: long ones hardly repeat. */
const valueLengthMax: u32 = 4_095
/** Entries that are looked at before a value counts as unknown; a new value drops one when all are taken. */
const probesMax: u32 = 8

let tables: usize = 0
let table: usize = 0
let tableMask: u32 = 0
let countMax: u32 = 0
let count: u32 = 0
let bytes: usize = 0
let bytesEnd: usize = 0
let freeBytes: usize = 0

/** Where the bytes of the value are kept that was asked for last; 0 where they are not. */
export let keptValue: usize = 0

export let valueHits: f64 = 0
export let valueMisses: f64 = 0
export let valuesForgotten: f64 = 0

/** Makes room for so many values, a power of two, and so many bytes of them. */
export function configureValues(valueCount: u32, byteCount: u32): void {
  countMax = valueCount
  tables = allocateTables(valueCount * 2)
  useTable(firstCount(valueCount * 2))
  bytes = allocate(byteCount)
  bytesEnd = bytes + byteCount
  freeBytes = bytes
}

export function forgetValues(): void {
  memory.fill(table, 0, (<usize>tableMask + 1) * entrySize)
  freeBytes = bytes
  count = 0
  forgetSlotClasses()
}

/** Counts a value whose class somebody else remembered. */
@inline
export function countHit(): void {
  valueHits += 1
}

/** The class of a value in a domain, remembered or asked of the host. */
export function classOf(domain: u32, start: usize, length: u32): i32 {
  if (length > valueLengthMax) {
    valueMisses += 1
    keptValue = 0
    return hostClassOf(domain, start, length)
  }
  const label = (domain << lengthBits) | length
  const hash = hashOf(start, length, domain)
  for (let probe: u32 = 0; probe < probesMax; probe++) {
    const entry = entryAt(hash + probe)
    const kept = <usize>load<u32>(entry, bytesAt)
    if (kept == 0) break
    if (load<u32>(entry) == hash && load<u32>(entry, labelAt) == label && isSame(start, kept, length)) {
      valueHits += 1
      keptValue = kept
      return load<i32>(entry, classAt)
    }
  }
  valueMisses += 1
  const cls = hostClassOf(domain, start, length)
  remember(hash, label, start, length, cls)
  return cls
}

@inline
function entryAt(hash: u32): usize {
  return table + <usize>(hash & tableMask) * entrySize
}

function remember(hash: u32, label: u32, start: usize, length: u32, cls: i32): void {
  if (count == countMax || freeBytes + length + 16 > bytesEnd) {
    forgetValues()
    valuesForgotten += 1
  } else if (count * 2 > tableMask) {
    growTable()
  }
  const kept = freeBytes
  memory.copy(kept, start, length)
  freeBytes = (kept + length + 7) & ~(<usize>7)
  keptValue = kept
  count++
  put(hash, label, kept, cls)
}

/** Half of a table is taken at most. */
function growTable(): void {
  const old = table
  const oldEnd = entryAt(tableMask) + entrySize
  useTable((tableMask + 1) * 2)
  for (let entry = old; entry != oldEnd; entry += entrySize) {
    const kept = <usize>load<u32>(entry, bytesAt)
    if (kept != 0) put(load<u32>(entry), load<u32>(entry, labelAt), kept, load<i32>(entry, classAt))
  }
}

function useTable(entryCount: u32): void {
  tableMask = entryCount - 1
  table = tableOf(tables, entryCount)
}

function put(hash: u32, label: u32, kept: usize, cls: i32): void {
  const entry = placeFor(hash)
  store<u32>(entry, hash)
  store<u32>(entry, label, labelAt)
  store<u32>(entry, <u32>kept, bytesAt)
  store<i32>(entry, cls, classAt)
}

/** The first free entry, or one of those that are taken: which one, bits of the hash say that chose none so far. */
function placeFor(hash: u32): usize {
  for (let probe: u32 = 0; probe < probesMax; probe++) {
    const entry = entryAt(hash + probe)
    if (load<u32>(entry, bytesAt) == 0) return entry
  }
  return entryAt(hash + (hash >>> 29))
}
