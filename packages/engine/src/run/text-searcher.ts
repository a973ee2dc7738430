import { notAscii } from '../event/fold-case.ts'
import { textEncoder } from '../event/text-encoder.ts'
import { createKernel, isKernelAvailable } from '../kernel/kernel-provider.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { limits } from '../limits.ts'
import type { FieldAtoms, NeedleHits } from '../plan/field-atoms.ts'

/** Characters of the shortest text that is worth copying to the kernel's memory. */
const lengthMin = 24

/** Minimum number of needles: a few are found faster in place than the text is copied. */
const needlesMin = 64

/** Characters of the longest text; each may take six bytes in JSON. */
const lengthMax = 32_768
const inputBytes = 6 * lengthMax + 2

/** Atoms of leaves, one set for each set of rules with keywords, that are searched this way; others are searched in place. */
const leafDomainsMax = 256

/**
 * Searches JavaScript strings for the needles of a field's atoms with a kernel of its own: several times as fast as
 * searching in place, copying included. Caches only the needles.
 */
export class TextSearcher {
  /** Whether this platform has WebAssembly and a text encoder. */
  static get isAvailable(): boolean {
    return textEncoder !== undefined && isKernelAvailable()
  }

  /** Created when the first text comes. */
  #kernel: Kernel | undefined
  readonly #domainCount: number
  readonly #domains = new Map<FieldAtoms, number>()

  /** `fieldCount` bounds the number of different atoms of fields; those of leaves come besides. */
  constructor(fieldCount: number) {
    this.#domainCount = fieldCount + leafDomainsMax
  }

  /** The needles found in a text; undefined if searching in place is better. */
  find(atoms: FieldAtoms, text: string): NeedleHits | undefined {
    return atoms.needles.length < needlesMin ? undefined : this.findInLong(atoms, text)
  }

  /** The same for a long text, however few needles there are. */
  findInLong(atoms: FieldAtoms, text: string): NeedleHits | undefined {
    if (atoms.needles.length > limits.kernelNeedlesMax) return undefined
    // The kernel cannot search texts beyond ASCII.
    if (text.length < lengthMin || text.length > lengthMax || notAscii.test(text)) return undefined
    const kernel = (this.#kernel ??= createSearchKernel(this.#domainCount))
    const domain = this.#getDomain(atoms, kernel)
    if (domain === undefined) return undefined
    const { start, bytes } = kernel.input
    const written = textEncoder?.encodeInto(JSON.stringify(text), bytes).written
    return written === undefined ? undefined : kernel.findNeedles(domain, start, written)
  }

  #getDomain(atoms: FieldAtoms, kernel: Kernel): number | undefined {
    const known = this.#domains.get(atoms)
    if (known !== undefined || this.#domains.size === this.#domainCount) return known
    const domain = this.#domains.size
    kernel.setNeedles(domain, atoms.needles)
    this.#domains.set(atoms, domain)
    return domain
  }
}

/** The minimum sizes of the caches of keys and values, which are not used. */
const memoryMin = 8_192

/** This kernel never runs lines. */
const unusedCallbacks = {
  keyCode: returnZero, classOf: returnZero, classOfFound: returnZero, resultOf: returnZero, found: () => {}, slowLine: () => {},
}

function createSearchKernel(domainCount: number): Kernel {
  return createKernel(unusedCallbacks, {
    inputBytes, keyCount: 1, keyBytes: memoryMin, valueCount: 1, valueBytes: memoryMin, needleListCount: 1, signatureCount: 1,
    slotCount: 1, programCount: 1, domainCount,
  })
}

function returnZero(): number {
  return 0
}
