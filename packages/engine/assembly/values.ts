import { allocateAnswers, Answers, answerOf, keptBytes } from './answers'
import { hashOf } from './bytes'
import { classByFound } from './found'
import { forgetSlotClasses } from './slots'

/** Bits of a label that hold the length; above is the domain. */
const lengthBits: u32 = 12
/** Bytes of the longest value that is remembered: long ones hardly repeat. */
const valueLengthMax: u32 = 4_095

const classes: Answers = allocateAnswers()

/** Where the bytes of the value are kept that was asked for last; 0 where they are not. */
export let keptValue: usize = 0

export let valueHits: f64 = 0
export let valueMisses: f64 = 0
export let valuesForgotten: f64 = 0

/** Makes room for so many values, a power of two, and so many bytes of them. */
export function configureValues(valueCount: u32, byteCount: u32): void {
  classes.configure(valueCount, byteCount)
}

export function forgetValues(): void {
  classes.forget()
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
    return classByFound(domain, start, length)
  }
  const label = (domain << lengthBits) | length
  const hash = hashOf(start, length, domain)
  const known = classes.find(hash, label, start, length)
  if (known != 0) {
    valueHits += 1
    keptValue = keptBytes(known)
    return answerOf(known)
  }
  valueMisses += 1
  const cls = classByFound(domain, start, length)
  remember(hash, label, start, length, cls)
  return cls
}

function remember(hash: u32, label: u32, start: usize, length: u32, cls: i32): void {
  if (classes.makeRoomFor(length)) {
    forgetSlotClasses()
    valuesForgotten += 1
  }
  keptValue = classes.add(hash, label, start, length, cls)
}
