import { createMemoTable, MemoTable, getAnswer, getRecordBytes } from './memo-table'
import { hashBytes } from './bytes'
import { classifyByNeedles } from './needle-memo'
import { clearSlotClasses } from './slots'

/** Bits of a label that hold the length; the domain is above them. */
const lengthBits: u32 = 12
/** Bytes of the longest value that is cached: long ones hardly repeat. */
const valueLengthMax: u32 = 4_095

const classes: MemoTable = createMemoTable()

/** The stored bytes of the value that was classified last; 0 if it was too long to store. */
export let storedValue: usize = 0

export let valueHits: f64 = 0
export let valueMisses: f64 = 0
export let valuesForgotten: f64 = 0

/** Reserves memory for `valueCount` values, a power of two, and `byteCount` bytes of them. */
export function configureValues(valueCount: u32, byteCount: u32): void {
  classes.configure(valueCount, byteCount)
}

export function clearValues(): void {
  classes.clear()
  clearSlotClasses()
}

/** Counts a hit of a slot's own cache. */
@inline
export function countValueHit(): void {
  valueHits += 1
}

/** The class of a value in a domain, from the cache or computed by the host. */
export function classifyValue(domain: u32, start: usize, length: u32): i32 {
  if (length > valueLengthMax) {
    valueMisses += 1
    storedValue = 0
    return classifyByNeedles(domain, start, length)
  }
  const label = (domain << lengthBits) | length
  const hash = hashBytes(start, length, domain)
  const known = classes.find(hash, label, start, length)
  if (known != 0) {
    valueHits += 1
    storedValue = getRecordBytes(known)
    return getAnswer(known)
  }
  valueMisses += 1
  const cls = classifyByNeedles(domain, start, length)
  remember(hash, label, start, length, cls)
  return cls
}

function remember(hash: u32, label: u32, start: usize, length: u32, cls: i32): void {
  if (classes.clearIfFull(length)) {
    clearSlotClasses()
    valuesForgotten += 1
  }
  storedValue = classes.add(hash, label, start, length, cls)
}
