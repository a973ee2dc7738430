import { createMemoTable, MemoTable, getAnswer } from './memo-table'
import { hashBytes } from './bytes'
import { hostResultOf } from './host'
import { allocate } from './memory'

/** Bytes of a signature of a dozen classes, as most have. */
const signatureBytes: usize = 64
/** Bytes of the longest signature that is remembered. */
const lengthMax: u32 = 1_024

/** What came of walks: of what a section is called and the classes that were met, in order. */
const results: MemoTable = createMemoTable()
/** The signature at hand, and where it ends so far. */
let signature: usize = 0
let signatureEnd: usize = 0

export let walkMisses: f64 = 0
export let walksForgotten: f64 = 0

/** Makes room for so many walks, a power of two, each of up to so many classes. */
export function configureSignatures(signatureCount: u32, classCount: u32): void {
  results.configure(signatureCount, max<usize>(<usize>signatureCount * signatureBytes, 2 * lengthMax))
  signature = allocate(<usize>classCount * 4 + 32)
}

export function clearSignatures(): void {
  results.clear()
}

@inline
export function beginSignature(section: i32): void {
  store<i32>(signature, section)
  signatureEnd = signature + 4
}

/** Goes on with a class that matters. */
@inline
export function addClass(cls: i32): void {
  store<i32>(signatureEnd, cls)
  signatureEnd += 4
}

/** What the signature comes to, remembered or asked of the host. */
export function resolveSignature(): i32 {
  const length = <u32>(signatureEnd - signature)
  const hash = hashBytes(signature, length, 0)
  const known = results.find(hash, length, signature, length)
  if (known != 0) return getAnswer(known)
  walkMisses += 1
  const result = hostResultOf(load<i32>(signature), signature + 4, length / 4 - 1)
  if (length <= lengthMax) {
    if (results.clearIfFull(length)) walksForgotten += 1
    results.add(hash, length, signature, length, result)
  }
  return result
}
