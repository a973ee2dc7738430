import { createMemoTable, MemoTable, getAnswer } from './memo-table'
import { hashBytes } from './bytes'
import { hostClassOf, hostClassOfFound } from './host'
import { allocate } from './memory'
import { findNeedles, foundNeedles } from './needles'

/** Bits of a label that hold how many needles were found; above is the domain. */
const countBits: u32 = 12
/** Needles of the longest list that is remembered. */
const countMax: u32 = 4_095
/** Bytes of a list of two dozen needles, as command lines have; in most values there are few. */
const listBytes: usize = 96

/** What came of the needles of a domain that were found in a value, in the order in which they were met. */
const classes: MemoTable = createMemoTable()
/** The list that the host is pendingList about: while it answers, it may look for other needles. */
let pendingList: usize = 0

export let foundMisses: f64 = 0
export let foundForgotten: f64 = 0

/** Makes room for so many lists, a power of two. */
export function configureNeedleMemo(listCount: u32): void {
  classes.configure(listCount, max<usize>(<usize>listCount * listBytes, 4 * countMax + 16))
  pendingList = allocate(4 * countMax)
}

export function clearNeedleMemo(): void {
  classes.clear()
}

/**
 * The class of a value that is new: by the needles that are found in it, remembered or pendingList of the host; pendingList by the
 * value where they could not be looked for.
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
