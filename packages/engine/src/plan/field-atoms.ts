import { isProvenByNeedle } from '../candidates/exactness.ts'
import { NeedleFinder } from '../candidates/needle-finder.ts'
import type { Anchor, Needle, Requirement } from '../candidates/requires.ts'
import { Reading } from '../event/reading.ts'
import { textsOf } from '../event/value.ts'
import type { FieldValue } from '../event/value.ts'
import { compileCheck } from '../predicate/check.ts'
import type { Check } from '../predicate/check.ts'
import { numberOf } from '../predicate/matchers/number.ts'
import type { Predicate } from '../predicate/predicate.ts'

/** An atom of one field, by its number, and what must be found where it holds. */
export type FieldAtom = {
  readonly atom: number
  readonly predicate: Predicate
  readonly requirement: Requirement | undefined
}

/** What a needle leads to: atoms that it proves, and atoms that are then worth checking. */
type Lead = { readonly proven: number[]; readonly doubtful: number[] }

/**
 * The atoms of one field: tells which of them hold of a value. Needles are found in one pass; what they do
 * not prove is checked, each atom once. Atoms that nothing can be looked for of are checked on every value.
 */
export class FieldAtoms {
  readonly #predicates = new Map<number, Predicate>()
  readonly #checks = new Map<number, Check>()
  /** Atoms to check on every value. */
  readonly #always: readonly number[]
  readonly #finder: NeedleFinder
  readonly #leadsOfText: readonly Lead[]
  readonly #leadsOfNumber: ReadonlyMap<number, Lead>
  /** Scratch: what was found of a value, and what that makes worth checking. */
  readonly #found: number[] = []
  readonly #doubtful: number[] = []

  constructor(atoms: readonly FieldAtom[]) {
    const always: number[] = []
    const leads = new Leads()
    for (const { atom, predicate, requirement } of atoms) {
      const isProven = requirement !== undefined && isProvenByNeedle(predicate)
      if (!isProven) this.#predicates.set(atom, predicate)
      if (requirement === undefined) always.push(atom)
      for (const needle of requirement ?? []) {
        const lead = leads.of(needle)
        const list = isProven ? lead.proven : lead.doubtful
        if (list.at(-1) !== atom) list.push(atom)
      }
    }
    const texts = [...leads.ofText.values()]
    this.#always = always
    this.#finder = new NeedleFinder(texts)
    this.#leadsOfText = texts.map(({ lead }) => lead)
    this.#leadsOfNumber = leads.ofNumber
  }

  /** The numbers of the atoms that hold of a value, ascending. */
  heldBy(value: FieldValue): readonly number[] {
    const held: number[] = []
    if (this.#leadsOfNumber.size > 0) this.#followNumbers(value, held)
    if (this.#leadsOfText.length > 0) this.#followTexts(value, held)
    if (this.#doubtful.length > 0 || this.#always.length > 0) this.#check(value, held)
    return held.length === 0 ? none : ascendingOnce(held)
  }

  #followNumbers(value: FieldValue, held: number[]): void {
    if (value === undefined) return
    for (const one of typeof value === 'object' && value !== null ? value : [value]) {
      const lead = this.#leadsOfNumber.get(numberOf(one))
      if (lead !== undefined) this.#follow(lead, held)
    }
  }

  #followTexts(value: FieldValue, held: number[]): void {
    const text = textsOf(value)
    if (text === null) return
    if (typeof text === 'string') this.#finder.find(text, this.#found)
    else for (const one of text) this.#finder.find(one, this.#found)
    for (const needle of this.#found) this.#follow(this.#leadsOfText[needle]!, held)
    this.#found.length = 0
  }

  #follow(lead: Lead, held: number[]): void {
    for (const atom of lead.proven) held.push(atom)
    for (const atom of lead.doubtful) this.#doubtful.push(atom)
  }

  #check(value: FieldValue, held: number[]): void {
    const reading = new Reading(value)
    const doubtful = this.#doubtful.length === 0 ? none : ascendingOnce(this.#doubtful)
    this.#doubtful.length = 0
    for (const atom of doubtful) if (this.#checkOf(atom)(reading)) held.push(atom)
    for (const atom of this.#always) if (this.#checkOf(atom)(reading)) held.push(atom)
  }

  #checkOf(atom: number): Check {
    const known = this.#checks.get(atom)
    if (known !== undefined) return known
    const check = compileCheck(this.#predicates.get(atom)!)
    this.#checks.set(atom, check)
    return check
  }
}

/** What needles lead to, equal ones once. */
class Leads {
  readonly ofText = new Map<string, { readonly anchor: Anchor; readonly text: string; readonly lead: Lead }>()
  readonly ofNumber = new Map<number, Lead>()

  of(needle: Needle): Lead {
    const known = needle.kind === 'number' ? this.ofNumber.get(needle.value) : this.ofText.get(keyOf(needle))?.lead
    if (known !== undefined) return known
    const lead: Lead = { proven: [], doubtful: [] }
    if (needle.kind === 'number') this.ofNumber.set(needle.value, lead)
    else this.ofText.set(keyOf(needle), { anchor: needle.anchor, text: needle.text, lead })
    return lead
  }
}

function keyOf({ anchor, text }: { readonly anchor: Anchor; readonly text: string }): string {
  return `${anchor} ${text}`
}

const none: readonly number[] = []

/** Sorts numbers, mostly few, and leaves out what comes again. */
function ascendingOnce(numbers: readonly number[]): readonly number[] {
  if (numbers.length === 1) return [numbers[0]!]
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted.filter((number, i) => number !== sorted[i - 1])
}
