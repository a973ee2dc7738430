import { allocateAnswers, Answers, answerOf } from './answers'
import { hashOf } from './bytes'
import { hostResultOf } from './host'
import { allocate } from './memory'

/** Bytes of a walk of a dozen classes, as most have. */
const walkBytes: usize = 64
/** Bytes of the longest walk that is remembered. */
const lengthMax: u32 = 1_024

/** What came of walks: of what a section is called and the classes that were met, in order. */
const results: Answers = allocateAnswers()
/** The walk at hand, and where it ends so far. */
let walk: usize = 0
let walkEnd: usize = 0

export let walkMisses: f64 = 0
export let walksForgotten: f64 = 0

/** Makes room for so many walks, a power of two, each of up to so many classes. */
export function configureWalks(walkCount: u32, classCount: u32): void {
  results.configure(walkCount, max<usize>(<usize>walkCount * walkBytes, 2 * lengthMax))
  walk = allocate(<usize>classCount * 4 + 32)
}

export function forgetWalks(): void {
  results.forget()
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
  const known = results.find(hash, length, walk, length)
  if (known != 0) return answerOf(known)
  walkMisses += 1
  const result = hostResultOf(load<i32>(walk), walk + 4, length / 4 - 1)
  if (length <= lengthMax) {
    if (results.makeRoomFor(length)) walksForgotten += 1
    results.add(hash, length, walk, length, result)
  }
  return result
}
