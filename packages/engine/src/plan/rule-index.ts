import { requirementCost, requirementOf } from '../candidates/requirement.ts'
import type { Requirement } from '../candidates/requirement.ts'
import type { Logsource } from '../event/event.ts'
import type { FieldRefTest, Predicate } from '../predicate/predicate.ts'
import { AtomTable } from './atom-table.ts'
import type { Atom } from './atom-table.ts'
import { Branches } from './branch-program.ts'
import { NumberLists } from './csr-lists.ts'
import { FieldAtoms } from './field-atoms.ts'
import { anchorsOf, variablesOf } from './formula.ts'
import type { Formula } from './formula.ts'
import { hasRegex } from './has-regex.ts'
import { containingKeys, logsourceKey } from './logsource-key.ts'
import { splitPredicate } from './split-predicate.ts'

/** What an index needs to know of a rule. */
export type IndexedRule = { readonly logsource: Logsource; readonly predicate: Predicate }

/** An atom that compares a field with another. */
export type Pair = { readonly atom: number; readonly field: string; readonly other: string; readonly test: FieldRefTest }

/** The rules of an index that apply to events of some logsources, and the fields that they read. */
export type Route = {
  /** By the number of a group: 1 where the route has it. */
  readonly groups: Uint8Array
  /** Numbers of fields, those with the fewest atoms first: what has many, such as command lines, differs most. */
  readonly fields: readonly number[]
  /** The atoms that compare two fields. */
  readonly pairs: readonly Pair[]
  /** Rules that nothing anchors: tried on every event. */
  readonly unanchored: readonly number[]
}

/**
 * An index over rules that were compiled together. Each rule is a formula over atoms; atoms belong to fields,
 * and each field finds its own in a value. A rule is worth evaluating where one of its anchors holds.
 *
 *     value of a field ─▶ atoms that hold ─┐
 *     value of a field ─▶ atoms that hold ─┼─▶ rules anchored there ─▶ formulas ─▶ what holds
 *     value of a field ─▶ atoms that hold ─┘
 *
 * Immutable, so that engines can share one; what it needs of a field is made when a value first asks for it.
 */
export class RuleIndex {
  readonly formulas: readonly Formula[]
  /** The same formulas, as they are evaluated. */
  readonly branches: Branches
  readonly atoms: readonly Atom[]
  /** Fields that the atoms read; the undefined one stands for the leaves of an event. */
  readonly fields: readonly (string | undefined)[]
  /** The atoms that compare two fields. */
  readonly pairs: readonly Pair[]
  /** By the number of an atom: 1 where it is left open until nothing else is. */
  readonly isLazy: Uint8Array
  /** By the number of a rule: its group, which are the rules of one logsource. */
  readonly groupOf: Int32Array
  /** Rules by the atom that anchors them. */
  readonly anchored: NumberLists
  readonly #requirements: readonly (Requirement | undefined)[]
  readonly #atomsOfField: readonly (readonly number[])[]
  readonly #fieldAtoms: (FieldAtoms | undefined)[] = []
  /** By their numbers: the atoms of a field that some routes read. */
  readonly #sharedAtoms = new Map<string, FieldAtoms>()
  readonly #groupNumbers = new Map<string, number>()
  readonly #groupsOfAtom: NumberLists
  readonly #unanchored: readonly number[]
  #readers: NumberLists | undefined

  constructor(rules: readonly IndexedRule[]) {
    const table = new AtomTable()
    this.formulas = rules.map(({ predicate }) => splitPredicate(predicate, table))
    this.branches = new Branches(this.formulas)
    this.atoms = table.atoms
    this.#requirements = table.atoms.map((atom) => (atom.kind === 'field' ? requirementOf(atom.predicate) : undefined))
    this.groupOf = Int32Array.from(rules, ({ logsource }) => this.#groupNumber(logsource))

    const fields = new Set(table.atoms.flatMap((atom) => (atom.kind === 'field' ? [atom.field] : [])))
    const fieldNumbers = new Map([...fields].map((field, number) => [field, number]))
    this.fields = [...fieldNumbers.keys()]
    const atomsOfField = this.fields.map((): number[] => [])
    for (const [number, atom] of table.atoms.entries()) {
      if (atom.kind === 'field') atomsOfField[fieldNumbers.get(atom.field)!]!.push(number)
    }
    this.pairs = table.atoms.flatMap((atom, number) => (
      atom.kind === 'pair' ? [{ atom: number, field: atom.field, other: atom.test.field, test: atom.test }] : []
    ))
    this.#atomsOfField = atomsOfField

    const costs = Float64Array.from(table.atoms.keys(), (atom) => this.#costOf(atom))
    const anchors = this.formulas.map((formula) => anchorsOf(formula, (atom) => costs[atom]!))
    this.anchored = NumberLists.inverse(anchors.map((atoms) => atoms ?? []), table.atoms.length)
    this.#unanchored = anchors.flatMap((atoms, rule) => (atoms === undefined ? [rule] : []))
    this.#groupsOfAtom = this.#findGroupsOfAtoms()
    this.isLazy = this.#findLazy()
  }

  get groupCount(): number {
    return this.#groupNumbers.size
  }

  /** The atoms that anchor a rule, of which one holds wherever it may; undefined where nothing does. */
  anchorsOf(rule: number): readonly number[] | undefined {
    return anchorsOf(this.formulas[rule]!, (atom) => this.#costOf(atom))
  }

  /** What has to be found for an atom to hold; undefined where nothing can be looked for. */
  requirementOf(atom: number): Requirement | undefined {
    return this.#requirements[atom]
  }

  /** Rules by the atoms that they read; made when first asked for. */
  get readers(): NumberLists {
    return (this.#readers ??= NumberLists.inverse(
      this.formulas.map((formula) => [...new Set(variablesOf(formula))]), this.atoms.length,
    ))
  }

  /** The atoms of a field, by its number. */
  fieldAtoms(field: number): FieldAtoms {
    return (this.#fieldAtoms[field] ??= this.#compileAtoms(this.#atomsOfField[field]!))
  }

  /**
   * The atoms of a field that rules of some groups read. Keywords are looked for in all leaves of every
   * event, so that those of other routes would not be a small thing to pass over; most routes read the same.
   */
  fieldAtomsOf(field: number, groups: Uint8Array): FieldAtoms {
    const atoms = this.#atomsOfField[field]!.filter((atom) => this.#isOf(atom, groups))
    const key = atoms.join()
    const known = this.#sharedAtoms.get(key)
    if (known !== undefined) return known
    const compiled = this.#compileAtoms(atoms)
    if (this.#sharedAtoms.size === sharedAtomsMax) this.#sharedAtoms.clear()
    this.#sharedAtoms.set(key, compiled)
    return compiled
  }

  /** The rules that apply to events of these logsources (sigma.md section 3, D-3), or to all. */
  routeOf(logsources: readonly Logsource[] | 'all'): Route {
    const groups = new Uint8Array(this.#groupNumbers.size)
    if (logsources === 'all') groups.fill(1)
    else {
      for (const logsource of logsources) {
        for (const key of containingKeys(logsource)) {
          const group = this.#groupNumbers.get(key)
          if (group !== undefined) groups[group] = 1
        }
      }
    }
    const fields = this.#atomsOfField.flatMap((atoms, field) => (atoms.some((atom) => this.#isOf(atom, groups)) ? [field] : []))
    return {
      groups,
      fields: fields.toSorted((a, b) => this.#atomsOfField[a]!.length - this.#atomsOfField[b]!.length),
      pairs: this.pairs.filter(({ atom }) => this.#isOf(atom, groups)),
      unanchored: this.#unanchored.filter((rule) => groups[this.groupOf[rule]!] === 1),
    }
  }

  /** Whether a rule of some groups reads an atom. */
  #isOf(atom: number, groups: Uint8Array): boolean {
    return this.#groupsOfAtom.some(atom, (group) => groups[group] === 1)
  }

  #compileAtoms(atoms: readonly number[]): FieldAtoms {
    return new FieldAtoms(atoms.flatMap((number) => {
      const atom = this.atoms[number]!
      return atom.kind === 'field' && this.isLazy[number] === 0 ? [{ atom: number, predicate: atom.predicate }] : []
    }))
  }

  #groupNumber(logsource: Logsource): number {
    const key = logsourceKey(logsource.category, logsource.product, logsource.service)
    const known = this.#groupNumbers.get(key)
    if (known !== undefined) return known
    this.#groupNumbers.set(key, this.#groupNumbers.size)
    return this.#groupNumbers.size - 1
  }

  /** How often an atom holds, roughly; what cannot be looked for is the last choice of an anchor. */
  #costOf(atom: number): number {
    const requirement = this.#requirements[atom]
    if (requirement !== undefined) return requirementCost(requirement)
    return this.#isDear(atom) ? 1_000 : 10
  }

  #findGroupsOfAtoms(): NumberLists {
    const groups = Array.from({ length: this.#groupNumbers.size }, (): Set<number> => new Set())
    for (const [rule, formula] of this.formulas.entries()) {
      for (const atom of variablesOf(formula)) groups[this.groupOf[rule]!]!.add(atom)
    }
    return NumberLists.inverse(groups.map((atoms) => [...atoms]), this.atoms.length)
  }

  /** A regular expression that nothing tells where to try would run on every new value: unless a rule hangs on it, it waits. */
  #findLazy(): Uint8Array {
    return Uint8Array.from(this.atoms, (_, atom) => {
      return this.#requirements[atom] === undefined && this.#isDear(atom) && this.anchored.lengthOf(atom) === 0 ? 1 : 0
    })
  }

  #isDear(number: number): boolean {
    const atom = this.atoms[number]!
    return atom.kind === 'field' && hasRegex(atom.predicate, (test) => requirementOf(test) === undefined)
  }
}

/** Sets of keywords that are kept compiled: real rules make some dozens, and events choose which are asked for. */
const sharedAtomsMax = 256
