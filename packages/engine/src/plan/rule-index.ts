import { estimateRequirementCost, findRequirement } from '../candidates/requirement.ts'
import type { Requirement } from '../candidates/requirement.ts'
import type { Logsource } from '../event/event.ts'
import type { FieldRefTest, Predicate } from '../predicate/predicate.ts'
import { AtomTable } from './atom-table.ts'
import type { Atom } from './atom-table.ts'
import { BranchProgram } from './branch-program.ts'
import { CsrLists } from './csr-lists.ts'
import { FieldAtoms } from './field-atoms.ts'
import { findAnchors, listVariables } from './formula.ts'
import type { Formula } from './formula.ts'
import { hasRegex } from './has-regex.ts'
import { listContainingKeys, toLogsourceKey } from './logsource-key.ts'
import { splitPredicate } from './split-predicate.ts'

/** What an index needs to know of a rule. */
export type IndexedRule = { readonly logsource: Logsource; readonly predicate: Predicate }

/** An atom that compares a field with another. */
export type FieldPair = { readonly atom: number; readonly field: string; readonly other: string; readonly test: FieldRefTest }

/** The rules of an index that apply to events of some logsources, and the fields that they read. */
export type IndexRoute = {
  /** By the number of a group: 1 where the route has it. */
  readonly groups: Uint8Array
  /** Numbers of fields, those with the fewest atoms first: what has many, such as command lines, differs most. */
  readonly fields: readonly number[]
  /** The atoms that compare two fields. */
  readonly pairs: readonly FieldPair[]
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
  readonly program: BranchProgram
  readonly atoms: readonly Atom[]
  /** Fields that the atoms read; the undefined one stands for the leaves of an event. */
  readonly fields: readonly (string | undefined)[]
  /** The atoms that compare two fields. */
  readonly pairs: readonly FieldPair[]
  /** By the number of an atom: 1 where it is left open until nothing else is. */
  readonly isLazy: Uint8Array
  /** By the number of a rule: its group, which are the rules of one logsource. */
  readonly groupByRule: Int32Array
  /** Rules by the atom that anchors them. */
  readonly rulesByAnchor: CsrLists
  readonly #requirementByAtom: readonly (Requirement | undefined)[]
  readonly #atomsByField: readonly (readonly number[])[]
  readonly #fieldAtoms: (FieldAtoms | undefined)[] = []
  /** By their numbers: the atoms of a field that some routes read. */
  readonly #sharedAtoms = new Map<string, FieldAtoms>()
  readonly #groupNumbers = new Map<string, number>()
  readonly #groupsByAtom: CsrLists
  readonly #unanchored: readonly number[]
  #rulesByAtom: CsrLists | undefined

  constructor(rules: readonly IndexedRule[]) {
    const table = new AtomTable()
    this.formulas = rules.map(({ predicate }) => splitPredicate(predicate, table))
    this.program = new BranchProgram(this.formulas)
    this.atoms = table.atoms
    this.#requirementByAtom = table.atoms.map((atom) => (atom.kind === 'field' ? findRequirement(atom.predicate) : undefined))
    this.groupByRule = Int32Array.from(rules, ({ logsource }) => this.#internGroup(logsource))

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
    this.#atomsByField = atomsOfField

    const costs = Float64Array.from(table.atoms.keys(), (atom) => this.#estimateCost(atom))
    const anchors = this.formulas.map((formula) => findAnchors(formula, (atom) => costs[atom]!))
    this.rulesByAnchor = CsrLists.invert(anchors.map((atoms) => atoms ?? []), table.atoms.length)
    this.#unanchored = anchors.flatMap((atoms, rule) => (atoms === undefined ? [rule] : []))
    this.#groupsByAtom = this.#listGroupsByAtom()
    this.isLazy = this.#findLazy()
  }

  get groupCount(): number {
    return this.#groupNumbers.size
  }

  /** The atoms that anchor a rule, of which one holds wherever it may; undefined where nothing does. */
  getAnchors(rule: number): readonly number[] | undefined {
    return findAnchors(this.formulas[rule]!, (atom) => this.#estimateCost(atom))
  }

  /** What has to be found for an atom to hold; undefined where nothing can be looked for. */
  getRequirement(atom: number): Requirement | undefined {
    return this.#requirementByAtom[atom]
  }

  /** Rules by the atoms that they read; made when first asked for. */
  get rulesByAtom(): CsrLists {
    return (this.#rulesByAtom ??= CsrLists.invert(
      this.formulas.map((formula) => [...new Set(listVariables(formula))]), this.atoms.length,
    ))
  }

  /** The atoms of a field, by its number. */
  getFieldAtoms(field: number): FieldAtoms {
    return (this.#fieldAtoms[field] ??= this.#compileFieldAtoms(this.#atomsByField[field]!))
  }

  /**
   * The atoms of a field that rules of some groups read. Keywords are looked for in all leaves of every
   * event, so that those of other routes would not be a small thing to pass over; most routes read the same.
   */
  getFieldAtomsForGroups(field: number, groups: Uint8Array): FieldAtoms {
    const atoms = this.#atomsByField[field]!.filter((atom) => this.#isReadByGroups(atom, groups))
    const key = atoms.join()
    const known = this.#sharedAtoms.get(key)
    if (known !== undefined) return known
    const compiled = this.#compileFieldAtoms(atoms)
    if (this.#sharedAtoms.size === sharedAtomsMax) this.#sharedAtoms.clear()
    this.#sharedAtoms.set(key, compiled)
    return compiled
  }

  /** The rules that apply to events of these logsources (sigma.md section 3, D-3), or to all. */
  buildRoute(logsources: readonly Logsource[] | 'all'): IndexRoute {
    const groups = new Uint8Array(this.#groupNumbers.size)
    if (logsources === 'all') groups.fill(1)
    else {
      for (const logsource of logsources) {
        for (const key of listContainingKeys(logsource)) {
          const group = this.#groupNumbers.get(key)
          if (group !== undefined) groups[group] = 1
        }
      }
    }
    const fields = this.#atomsByField.flatMap((atoms, field) => (atoms.some((atom) => this.#isReadByGroups(atom, groups)) ? [field] : []))
    return {
      groups,
      fields: fields.toSorted((a, b) => this.#atomsByField[a]!.length - this.#atomsByField[b]!.length),
      pairs: this.pairs.filter(({ atom }) => this.#isReadByGroups(atom, groups)),
      unanchored: this.#unanchored.filter((rule) => groups[this.groupByRule[rule]!] === 1),
    }
  }

  /** Whether a rule of some groups reads an atom. */
  #isReadByGroups(atom: number, groups: Uint8Array): boolean {
    return this.#groupsByAtom.some(atom, (group) => groups[group] === 1)
  }

  #compileFieldAtoms(atoms: readonly number[]): FieldAtoms {
    return new FieldAtoms(atoms.flatMap((number) => {
      const atom = this.atoms[number]!
      return atom.kind === 'field' && this.isLazy[number] === 0 ? [{ atom: number, predicate: atom.predicate }] : []
    }))
  }

  #internGroup(logsource: Logsource): number {
    const key = toLogsourceKey(logsource.category, logsource.product, logsource.service)
    const known = this.#groupNumbers.get(key)
    if (known !== undefined) return known
    this.#groupNumbers.set(key, this.#groupNumbers.size)
    return this.#groupNumbers.size - 1
  }

  /** How often an atom holds, roughly; what cannot be looked for is the last choice of an anchor. */
  #estimateCost(atom: number): number {
    const requirement = this.#requirementByAtom[atom]
    if (requirement !== undefined) return estimateRequirementCost(requirement)
    return this.#isCostly(atom) ? 1_000 : 10
  }

  #listGroupsByAtom(): CsrLists {
    const groups = Array.from({ length: this.#groupNumbers.size }, (): Set<number> => new Set())
    for (const [rule, formula] of this.formulas.entries()) {
      for (const atom of listVariables(formula)) groups[this.groupByRule[rule]!]!.add(atom)
    }
    return CsrLists.invert(groups.map((atoms) => [...atoms]), this.atoms.length)
  }

  /** A regular expression that nothing tells where to try would run on every new value: unless a rule hangs on it, it waits. */
  #findLazy(): Uint8Array {
    return Uint8Array.from(this.atoms, (_, atom) => {
      return this.#requirementByAtom[atom] === undefined && this.#isCostly(atom) && this.rulesByAnchor.getLength(atom) === 0 ? 1 : 0
    })
  }

  #isCostly(number: number): boolean {
    const atom = this.atoms[number]!
    return atom.kind === 'field' && hasRegex(atom.predicate, (test) => findRequirement(test) === undefined)
  }
}

/** Sets of keywords that are kept compiled: real rules make some dozens, and events choose which are asked for. */
const sharedAtomsMax = 256
