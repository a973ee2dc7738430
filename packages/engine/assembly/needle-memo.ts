import { createMemoTable, MemoTable, getAnswer } from './memo-table'
import { hashBytes } from './bytes'
import { hostClassOf, hostClassOfFound } from './host'
import { allocate } from './memory'
import { findNeedles, foundNeedles } from './needles'

/** Bits of a label that hold the number of needles found; the domain is above them. */
const countBits: u32 = 12
/** Needles of the longest list that is cached. */
const countMax: u32 = 4_095
/** Bytes of a list of two dozen needles, which is typical of command lines; most values contain few. */
const listBytes: usize = 96

/** The class of a value by its domain and the needles found in it, in the order in which the search reports them. */
const classes: MemoTable = createMemoTable()
/** A copy of the list during a call of the host, which may search for other needles meanwhile. */
let pendingList: usize = 0

export let foundMisses: f64 = 0
export let foundForgotten: f64 = 0

/** Reserves memory for `listCount` lists, a power of two. */
export function configureNeedleMemo(listCount: u32): void {
  classes.configure(listCount, max<usize>(<usize>listCount * listBytes, 4 * countMax + 16))
  pendingList = allocate(4 * countMax)
}

export function clearNeedleMemo(): void {
  classes.clear()
}

/**
 * The class of a value that is not cached: looked up by the needles that it contains, or computed by the host. Where the
 * kernel cannot search the value, the host classifies it by its text.
 */
export function classifyByNeedles(domain: u32, start: usize, length: u32): i32 {
  const count: u32 = findNeedles(domain, start, length)
  if (<i32>count < 0) return hostClassOf(domain, start, length)
  const size = min(count, countMax) * 4
  const label = (domain << countBits) | count
  const hash = hashBytes(foundNeedles, size, domain)
  const known: usize = count > countMax ? 0 : classes.find(hash, label, foundNeedles, size)
  if (known != 0) return getAnswer(known)
  foundMisses += 1
  memory.copy(pendingList, foundNeedles, size)
  const answer = hostClassOfFound(domain, start, length, count)
  if (answer < 0) return ~answer
  if (count <= countMax) {
    if (classes.clearIfFull(size)) foundForgotten += 1
    classes.add(hash, label, pendingList, size, answer)
  }
  return answer
}
