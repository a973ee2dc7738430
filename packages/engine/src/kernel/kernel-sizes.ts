import { limits } from '../limits.ts'

/** Minimum bytes of the caches of keys and of values: the longest cached key or value fits. */
const bytesMin = 8_192

/** Sizes of a kernel's caches; the counts of keys, values, needle lists and signatures are powers of two. */
export type KernelOptions = {
  readonly inputBytes?: number
  readonly keyCount?: number
  readonly keyBytes?: number
  readonly valueCount?: number
  readonly valueBytes?: number
  /** Lists of needles found in values. */
  readonly needleListCount?: number
  readonly signatureCount?: number
  readonly slotCount?: number
  readonly programCount?: number
  readonly domainCount?: number
}

/** Completes sizes with those of `limits`; throws a RangeError for invalid ones. */
export function resolveSizes(options: KernelOptions): Required<KernelOptions> {
  const sizes = {
    inputBytes: limits.kernelInputBytesMax,
    keyCount: limits.kernelKeysMax,
    keyBytes: limits.kernelKeyBytesMax,
    valueCount: limits.kernelValuesMax,
    valueBytes: limits.kernelValueBytesMax,
    needleListCount: limits.kernelNeedleListsMax,
    signatureCount: limits.kernelSignaturesMax,
    slotCount: limits.kernelSlotsMax,
    programCount: limits.kernelProgramsMax,
    domainCount: limits.kernelDomainsMax,
    ...options,
  }
  for (const name of ['keyCount', 'valueCount', 'needleListCount', 'signatureCount'] as const) {
    if (sizes[name] < 1 || !Number.isInteger(Math.log2(sizes[name]))) {
      throw new RangeError(`the kernel's ${name} is ${sizes[name]}; it must be a power of two`)
    }
  }
  for (const name of ['keyBytes', 'valueBytes'] as const) {
    if (sizes[name] < bytesMin) {
      throw new RangeError(`the kernel's ${name} is ${sizes[name]}; it must be at least ${bytesMin}`)
    }
  }
  return sizes
}
