import { createMemoTable, MemoTable, getAnswer } from './memo-table'
import { hashBytes } from './bytes'
import { hostResultOf } from './host'
import { allocate } from './memory'

/** Bytes of a signature of a dozen classes, which is typical. */
const signatureBytes: usize = 64
/** Bytes of the longest signature that is cached. */
const lengthMax: u32 = 1_024

/** Results by signature: the id of a section and the classes of the event's values, in order. */
const results: MemoTable = createMemoTable()
/** The signature being built, and its end. */
let signature: usize = 0
let signatureEnd: usize = 0

export let signatureMisses: f64 = 0
export let signaturesForgotten: f64 = 0

/** Reserves memory for `signatureCount` signatures, a power of two, each of up to `classCount` classes. */
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

/** Appends a class other than 0. */
@inline
export function addClass(cls: i32): void {
  store<i32>(signatureEnd, cls)
  signatureEnd += 4
}

/** The result of the signature, from the cache or computed by the host. */
export function resolveSignature(): i32 {
  const length = <u32>(signatureEnd - signature)
  const hash = hashBytes(signature, length, 0)
  const known = results.find(hash, length, signature, length)
  if (known != 0) return getAnswer(known)
  signatureMisses += 1
  const result = hostResultOf(load<i32>(signature), signature + 4, length / 4 - 1)
  if (length <= lengthMax) {
    if (results.clearIfFull(length)) signaturesForgotten += 1
    results.add(hash, length, signature, length, result)
  }
  return result
}
