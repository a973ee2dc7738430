import { limits } from '../limits.ts'

/** The least bytes of keys and of values: the longest one that is remembered has room, and more. */
const bytesMin = 8_192

/** Sizes of a kernel's memory; counts of keys, values, found and walks are powers of two. */
export type KernelOptions = {
  readonly inputBytes?: number
  readonly keyCount?: number
  readonly keyBytes?: number
  readonly valueCount?: number
  readonly valueBytes?: number
  /** Lists of needles that were found in values. */
  readonly foundCount?: number
  readonly walkCount?: number
  readonly slotCount?: number
  readonly programCount?: number
  readonly domainCount?: number
}

/** All sizes, those that are not given as `limits` has them; throws where there cannot be such a kernel. */
export function resolveSizes(options: KernelOptions): Required<KernelOptions> {
  const sizes = {
    inputBytes: limits.kernelInputBytesMax,
    keyCount: limits.kernelKeysMax,
    keyBytes: limits.kernelKeyBytesMax,
    valueCount: limits.kernelValuesMax,
    valueBytes: limits.kernelValueBytesMax,
    foundCount: limits.kernelFoundMax,
    walkCount: limits.kernelWalksMax,
    slotCount: limits.kernelSlotsMax,
    programCount: limits.kernelProgramsMax,
    domainCount: limits.kernelDomainsMax,
    ...options,
  }
  for (const name of ['keyCount', 'valueCount', 'foundCount', 'walkCount'] as const) {
    if (sizes[name] < 1 || !Number.isInteger(Math.log2(sizes[name]))) {
      throw new RangeError(`the kernel's ${name} is ${sizes[name]}; it is a power of two`)
    }
  }
  for (const name of ['keyBytes', 'valueBytes'] as const) {
    if (sizes[name] < bytesMin) {
      throw new RangeError(`the kernel's ${name} is ${sizes[name]}; it is at least ${bytesMin}`)
    }
  }
  return sizes
}
