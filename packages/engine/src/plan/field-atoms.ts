import { isProvenByNeedle } from '../candidates/exactness.ts'
import { NeedleFinder } from '../candidates/needle-finder.ts'
import type { Requirement } from '../candidates/requires.ts'
import type { Reading } from '../event/reading.ts'
import type { FieldText, FieldValue } from '../event/value.ts'
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
  readonly #checks = new Map<number, Check>()
  readonly #predicates = new Map<number, Predicate>()
  readonly #always: readonly number[]
  readonly #finder: NeedleFinder
  readonly #leadsOfText: readonly Lead[]
  readonly #leadsOfNumber = new Map<number, Lead>()
  /** Scratch of `find`. */
  readonly #found: number[] = []

  constructor(atoms: readonly FieldAtom[]) {
    const texts = new Map<string, { readonly anchor: 'whole' | 'start' | 'end' | 'anywhere'; readonly text: string; readonly lead: Lead }>()
    const always: number[] = []
    for (const { atom, predicate, requirement } of atoms) {
      const isProven = requirement !== undefined && isProvenByNeedle(predicate)
      if (!isProven) this.#predicates.set(atom, predicate)
      if (requirement === undefined) always.push(atom)
      for (const needle of requirement ?? []) {
        const lead = needle.kind === 'number' ? leadIn(this.#leadsOfNumber, needle.value) : leadInTexts(texts, needle)
        const list = isProven ? lead.proven : lead.doubtful
        if (list.at(-1) !== atom) list.push(atom)
      }
    }
    this.#always = always
    this.#finder = new NeedleFinder([...texts.values()])
    this.#leadsOfText = Array.from(texts.values(), ({ lead }) => lead)
  }

  /** The numbers of the atoms that hold of a value, ascending. */
  heldBy(reading: Reading): readonly number[] {
    const held = new Set<number>()
    const doubtful = new Set(this.#always)
    const follow = (lead: Lead): void => {
      for (const atom of lead.proven) held.add(atom)
      for (const atom of lead.doubtful) doubtful.add(atom)
    }
    if (this.#leadsOfNumber.size > 0) this.#followNumbers(reading.value, follow)
    if (this.#leadsOfText.length > 0) this.#followTexts(reading.folded, follow)
    for (const atom of doubtful) if (this.#checkOf(atom)(reading)) held.add(atom)
    return held.size === 0 ? none : [...held].toSorted((a, b) => a - b)
  }

  #followNumbers(value: FieldValue, follow: (lead: Lead) => void): void {
    if (value === undefined) return
    for (const one of typeof value === 'object' && value !== null ? value : [value]) {
      const lead = this.#leadsOfNumber.get(numberOf(one))
      if (lead !== undefined) follow(lead)
    }
  }

  #followTexts(text: FieldText, follow: (lead: Lead) => void): void {
    if (text === null) return
    if (typeof text === 'string') this.#finder.find(text, this.#found)
    else for (const one of text) this.#finder.find(one, this.#found)
    for (const needle of this.#found) follow(this.#leadsOfText[needle]!)
    this.#found.length = 0
  }

  #checkOf(atom: number): Check {
    const known = this.#checks.get(atom)
    if (known !== undefined) return known
    const check = compileCheck(this.#predicates.get(atom)!)
    this.#checks.set(atom, check)
    return check
  }
}

const none: readonly number[] = []

function leadIn<Key>(leads: Map<Key, Lead>, key: Key): Lead {
  const known = leads.get(key)
  if (known !== undefined) return known
  const lead: Lead = { proven: [], doubtful: [] }
  leads.set(key, lead)
  return lead
}

function leadInTexts(
  texts: Map<string, { readonly anchor: 'whole' | 'start' | 'end' | 'anywhere'; readonly text: string; readonly lead: Lead }>,
  { anchor, text }: { readonly anchor: 'whole' | 'start' | 'end' | 'anywhere'; readonly text: string },
): Lead {
  const key = `${anchor} ${text}`
  const known = texts.get(key)
  if (known !== undefined) return known.lead
  const lead: Lead = { proven: [], doubtful: [] }
  texts.set(key, { anchor, text, lead })
  return lead
}
