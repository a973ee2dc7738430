import { allocateAnswers, Answers, answerOf } from './answers'
import { hashOf } from './bytes'
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
const classes: Answers = allocateAnswers()
/** The list that the host is asked about: while it answers, it may look for other needles. */
let asked: usize = 0

export let foundMisses: f64 = 0
export let foundForgotten: f64 = 0

/** Makes room for so many lists, a power of two. */
export function configureFound(listCount: u32): void {
  classes.configure(listCount, max<usize>(<usize>listCount * listBytes, 4 * countMax + 16))
  asked = allocate(4 * countMax)
}

export function forgetFound(): void {
  classes.forget()
}

/**
 * The class of a value that is new: by the needles that are found in it, remembered or asked of the host; asked by the
 * value where they could not be looked for.
 */
export function classByFound(domain: u32, start: usize, length: u32): i32 {
  const count: u32 = findNeedles(domain, start, length)
  if (<i32>count < 0) return hostClassOf(domain, start, length)
  const size = min(count, countMax) * 4
  const label = (domain << countBits) | count
  const hash = hashOf(foundNeedles, size, domain)
  const known: usize = count > countMax ? 0 : classes.find(hash, label, foundNeedles, size)
  if (known != 0) return answerOf(known)
  foundMisses += 1
  memory.copy(asked, foundNeedles, size)
  const answer = hostClassOfFound(domain, start, length, count)
  if (answer < 0) return ~answer
  if (count <= countMax) {
    if (classes.makeRoomFor(size)) foundForgotten += 1
    classes.add(hash, label, asked, size, answer)
  }
  return answer
}
