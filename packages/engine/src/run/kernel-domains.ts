import type { FieldValue } from '../event/value.ts'
import type { Kernel, NumberSlice } from '../kernel/kernel.ts'
import { limits } from '../limits.ts'
import type { FieldAtoms } from '../plan/field-atoms.ts'
import { readFieldValue } from './json-bytes.ts'
import type { MatchCache } from './match-cache.ts'

/** Answers the class of a value, or of a line, at a place of the kernel's memory. */
type Domain = {
  readonly classOf: (start: number, length: number) => number
  /** As `KernelCallbacks` has it; of domains with needles. */
  readonly classOfFound?: (start: number, length: number, found: NumberSlice) => number
}

/** The domains of a kernel, by number: for each field of a match cache one, and those that its host adds. */
export class KernelDomains {
  readonly #getKernel: () => Kernel
  readonly #domains: Domain[] = []
  readonly #fieldDomains = new Map<MatchCache, number[]>()

  /** Takes how to get at the kernel, which is made after its domains. */
  constructor(getKernel: () => Kernel) {
    this.#getKernel = getKernel
  }

  get count(): number {
    return this.#domains.length
  }

  /** Adds a domain and answers its number. */
  add(domain: Domain): number {
    return this.#domains.push(domain) - 1
  }

  get(number: number): Domain {
    return this.#domains[number]!
  }

  /** The number of the domain of a field, which is made when it is first needed. */
  getFieldDomain(cache: MatchCache, field: number): number {
    const domains = this.#fieldDomains.get(cache) ?? []
    this.#fieldDomains.set(cache, domains)
    return (domains[field] ??= this.#addFieldDomain(cache, field))
  }

  /** Where the kernel can look for the needles, the value is read only if more of it is wanted. */
  #addFieldDomain(cache: MatchCache, field: number): number {
    const read = (start: number, length: number): FieldValue => (
      readFieldValue(this.#getKernel().bytes.subarray(start, start + length))
    )
    const classifyFound = (start: number, length: number, found: NumberSlice): number => (
      cache.classifyByHits(field, found, length, () => read(start, length))
    )
    // The kernel learns the needles when the first value comes: of most fields none ever does.
    let hasNeedles = false
    const domain = this.add({
      classOf: (start, length) => {
        if (!hasNeedles) this.#setNeedles(domain, cache.index.getFieldAtoms(field))
        const found = hasNeedles ? undefined : this.#getKernel().findNeedles(domain, start, length)
        hasNeedles = true
        return found === undefined ? cache.classify(field, read(start, length)) : classifyFound(start, length, found)
      },
      classOfFound: (start, length, found) => {
        const valueClass = classifyFound(start, length, found)
        return cache.index.getFieldAtoms(field).isDecidedByHits ? valueClass : ~valueClass
      },
    })
    return domain
  }

  #setNeedles(domain: number, { needles }: FieldAtoms): void {
    if (needles.length <= limits.kernelNeedlesMax) this.#getKernel().setNeedles(domain, needles)
  }
}
