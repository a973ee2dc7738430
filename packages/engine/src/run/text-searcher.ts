import { notAscii } from '../event/fold-case.ts'
import { textEncoder } from '../event/text-encoder.ts'
import { Kernel } from '../kernel/kernel.ts'
import { limits } from '../limits.ts'
import type { FieldAtoms, NeedleHits } from '../plan/field-atoms.ts'

/** Characters of the shortest text that is worth being written where the kernel can search it. */
const lengthMin = 24

/** How many texts are looked for at least: a few are found in place before the text is written. */
const needlesMin = 64

/** Characters of the longest text. As JSON each may take six bytes. */
const lengthMax = 32_768
const inputBytes = 6 * lengthMax + 2

/**
 * Looks with a kernel of its own for what a field's atoms look for in a text that is a string already: several
 * times as fast as searching it in place, writing included. Remembers nothing but what is looked for.
 */
export class TextSearcher {
  /** Whether this platform has what it takes. */
  static get isAvailable(): boolean {
    return textEncoder !== undefined && Kernel.isAvailable
  }

  /** Made when the first text comes. */
  #kernel: Kernel | undefined
  readonly #fieldCount: number
  readonly #domains = new Map<FieldAtoms, number>()

  /** Takes for how many fields there are atoms. */
  constructor(fieldCount: number) {
    this.#fieldCount = fieldCount
  }

  /** The texts of some atoms that stand in a text; undefined where it does not look. */
  find(atoms: FieldAtoms, text: string): NeedleHits | undefined {
    const needleCount = atoms.needles.length
    if (needleCount < needlesMin || needleCount > limits.kernelNeedlesMax) return undefined
    // The kernel leaves texts beyond ASCII to others: better not to write them.
    if (text.length < lengthMin || text.length > lengthMax || notAscii.test(text)) return undefined
    const kernel = (this.#kernel ??= createKernel(this.#fieldCount))
    const domain = this.#getDomain(atoms, kernel)
    const { start, bytes } = kernel.input
    const written = textEncoder?.encodeInto(JSON.stringify(text), bytes).written
    return written === undefined ? undefined : kernel.findNeedles(domain, start, written)
  }

  #getDomain(atoms: FieldAtoms, kernel: Kernel): number {
    const known = this.#domains.get(atoms)
    if (known !== undefined) return known
    const domain = this.#domains.size
    kernel.setNeedles(domain, atoms.needles)
    this.#domains.set(atoms, domain)
    return domain
  }
}

function createKernel(domainCount: number): Kernel {
  return new Kernel(unusedCallbacks, {
    inputBytes, keyCount: 1, keyBytes: memoryMin, valueCount: 1, valueBytes: memoryMin, foundCount: 1, walkCount: 1,
    slotCount: 1, programCount: 1, domainCount,
  })
}

/** The least memory of keys and of values that a kernel takes; none is used. */
const memoryMin = 8_192

/** Nobody runs lines. */
const unusedCallbacks = {
  keyCode: returnZero, classOf: returnZero, classOfFound: returnZero, resultOf: returnZero, found: () => {}, slowLine: () => {},
}

function returnZero(): number {
  return 0
}
