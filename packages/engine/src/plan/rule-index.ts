import { estimateRequirementCost, findRequirement } from '../candidates/requirement.ts'
import type { Requirement } from '../candidates/requirement.ts'
import { listLogsources } from '../event/contains-logsource.ts'
import type { Logsource, RuleLogsource } from '../event/event.ts'
import { finishSteps } from '../finish-steps.ts'
import type { FieldRefTest, Predicate } from '../predicate/predicate.ts'
import { mapInSteps, SteppedValue } from '../step-work.ts'
import type { WorkSteps } from '../step-work.ts'
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
import { weighPredicate } from './weigh-predicate.ts'

/** The part of a rule that an index reads. */
type IndexedRule = { readonly logsource: RuleLogsource; readonly predicate: Predicate }

/** An atom that compares two fields. */
export type FieldPair = { readonly atom: number; readonly field: string; readonly other: string; readonly test: FieldRefTest }

/** The rules of an index that apply to events of certain logsources, and the fields that they read. */
export type IndexRoute = {
  /** By group: 1 if it belongs to the route. */
  readonly groups: Uint8Array
  /** Numbers of fields, those with the fewest atoms first: fields with many, such as command lines, vary most. */
  readonly fields: readonly number[]
  /** The atoms that compare two fields. */
  readonly pairs: readonly FieldPair[]
  /** Rules without anchors: candidates for every event. */
  readonly unanchored: readonly number[]
}

type IndexParts = {
  readonly formulas: readonly Formula[]
  readonly atoms: readonly Atom[]
  /** By atom. */
  readonly requirements: readonly (Requirement | undefined)[]
}

/** Compiled sets of keywords that are cached: real rules need dozens, but events choose which routes are used. */
const sharedAtomsMax = 256

/**
 * An inverted index from atoms to rules, as in content-based publish/subscribe matching: each rule is a formula over
 * atoms, each atom belongs to a field, and each field evaluates its atoms on a value with one search. A rule is a
 * candidate if one of its anchors is true.
 *
 *     value of a field ─▶ true atoms ─┐
 *     value of a field ─▶ true atoms ─┼─▶ rules anchored there ─▶ formulas ─▶ matching rules
 *     value of a field ─▶ true atoms ─┘
 *
 * Immutable, so engines can share it; the structures of a field are built when its first value comes.
 */
export class RuleIndex {
  readonly formulas: readonly Formula[]
  /** The same formulas, compiled. */
  readonly program: BranchProgram
  readonly atoms: readonly Atom[]
  /** Fields that the atoms read; undefined stands for the leaves of an event. */
  readonly fields: readonly (string | undefined)[]
  /** The atoms that compare two fields. */
  readonly pairs: readonly FieldPair[]
  /** By atom: 1 if it is left unknown until the rest of a formula depends on it. */
  readonly isLazy: Uint8Array
  /** By rule: its group, which consists of the rules of one logsource. */
  readonly groupByRule: Int32Array
  /** By atom: the rules that it anchors. */
  readonly rulesByAnchor: CsrLists
  readonly #requirementByAtom: readonly (Requirement | undefined)[]
  readonly #atomsByField: readonly (readonly number[])[]
  readonly #fieldAtoms: (SteppedValue<FieldAtoms> | undefined)[] = []
  /** By atom numbers: the atoms of a field that some routes read. */
  readonly #sharedAtoms = new Map<string, FieldAtoms>()
  readonly #groupNumbers = new Map<string, number>()
  /** By the key of a logsource: the groups whose rules apply to it. */
  readonly #groupsByKey = new Map<string, readonly number[]>()
  readonly #groupsByAtom: CsrLists
  readonly #unanchored: readonly number[]
  #rulesByAtom: CsrLists | undefined

  private constructor(rules: readonly IndexedRule[], { formulas, atoms, requirements }: IndexParts) {
    this.formulas = formulas
    this.program = new BranchProgram(formulas)
    this.atoms = atoms
    this.#requirementByAtom = requirements
    this.groupByRule = Int32Array.from(rules, ({ logsource }) => this.#internGroup(logsource))

    const fields = new Set(atoms.flatMap((atom) => (atom.kind === 'field' ? [atom.field] : [])))
    const fieldNumbers = new Map([...fields].map((field, number) => [field, number]))
    this.fields = [...fieldNumbers.keys()]
    const atomsOfField = this.fields.map((): number[] => [])
    for (const [number, atom] of atoms.entries()) {
      if (atom.kind === 'field') atomsOfField[fieldNumbers.get(atom.field)!]!.push(number)
    }
    this.pairs = atoms.flatMap((atom, number) => (
      atom.kind === 'pair' ? [{ atom: number, field: atom.field, other: atom.test.field, test: atom.test }] : []
    ))
    this.#atomsByField = atomsOfField

    const costs = Float64Array.from(atoms.keys(), (atom) => this.#estimateCost(atom))
    const anchors = this.formulas.map((formula) => findAnchors(formula, (atom) => costs[atom]!))
    this.rulesByAnchor = CsrLists.invert(anchors.map((ofRule) => ofRule ?? []), atoms.length)
    this.#unanchored = anchors.flatMap((ofRule, rule) => (ofRule === undefined ? [rule] : []))
    this.#groupsByAtom = this.#listGroupsByAtom()
    this.isLazy = this.#findLazy()
  }

  /** Builds an index in steps. */
  static* build(rules: readonly IndexedRule[]): WorkSteps<RuleIndex> {
    const table = new AtomTable()
    const split = ({ predicate }: IndexedRule): Formula => splitPredicate(predicate, table)
    const formulas = yield* mapInSteps(rules, split, ({ predicate }) => weighPredicate(predicate))
    const { atoms } = table
    const findRequirementOf = (atom: Atom): Requirement | undefined => atom.kind === 'field' ? findRequirement(atom.predicate) : undefined
    const requirements = yield* mapInSteps(atoms, findRequirementOf, weighAtom)
    return new RuleIndex(rules, { formulas, atoms, requirements })
  }

  get groupCount(): number {
    return this.#groupNumbers.size
  }

  /** The anchors of a rule, one of which is true whenever the rule may match; undefined if it has none. */
  getAnchors(rule: number): readonly number[] | undefined {
    return findAnchors(this.formulas[rule]!, (atom) => this.#estimateCost(atom))
  }

  /** The requirement of an atom; undefined if it has none. */
  getRequirement(atom: number): Requirement | undefined {
    return this.#requirementByAtom[atom]
  }

  /** By atom: the rules that read it; built on first use. */
  get rulesByAtom(): CsrLists {
    return (this.#rulesByAtom ??= CsrLists.invert(
      this.formulas.map((formula) => [...new Set(listVariables(formula))]), this.atoms.length,
    ))
  }

  /** The atoms of a field, by its number. */
  getFieldAtoms(field: number): FieldAtoms {
    return this.#getFieldAtoms(field).value
  }

  /** Does the work of `getFieldAtoms` in steps. */
  prepareFieldAtoms(field: number): WorkSteps<undefined> {
    return this.#getFieldAtoms(field).prepare()
  }

  /** The work units of the atoms of a field. */
  weighField(field: number): number {
    return this.#atomsByField[field]!.reduce((sum, atom) => sum + weighAtom(this.atoms[atom]!), 0)
  }

  #getFieldAtoms(field: number): SteppedValue<FieldAtoms> {
    return (this.#fieldAtoms[field] ??= new SteppedValue(() => this.#compileFieldAtoms(this.#atomsByField[field]!)))
  }

  /**
   * The atoms of a field that rules of certain groups read. Keywords are searched in all leaves of every event, so those
   * of other routes would cost time; most routes read the same ones and share them.
   */
  getFieldAtomsForGroups(field: number, groups: Uint8Array): FieldAtoms {
    const atoms = this.#atomsByField[field]!.filter((atom) => this.#isReadByGroups(atom, groups))
    const key = atoms.join()
    const known = this.#sharedAtoms.get(key)
    if (known !== undefined) return known
    const compiled = finishSteps(this.#compileFieldAtoms(atoms))
    if (this.#sharedAtoms.size === sharedAtomsMax) this.#sharedAtoms.clear()
    this.#sharedAtoms.set(key, compiled)
    return compiled
  }

  /** Builds the route of events with these logsources, or of all rules. */
  buildRoute(logsources: readonly Logsource[] | 'all'): IndexRoute {
    const groups = new Uint8Array(this.groupCount)
    if (logsources === 'all') groups.fill(1)
    else {
      for (const logsource of logsources) {
        for (const key of listContainingKeys(logsource)) {
          for (const group of this.#groupsByKey.get(key) ?? []) groups[group] = 1
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

  /** Whether a rule of one of these groups reads an atom. */
  #isReadByGroups(atom: number, groups: Uint8Array): boolean {
    return this.#groupsByAtom.some(atom, (group) => groups[group] === 1)
  }

  #compileFieldAtoms(atoms: readonly number[]): WorkSteps<FieldAtoms> {
    return FieldAtoms.build(atoms.flatMap((number) => {
      const atom = this.atoms[number]!
      return atom.kind === 'field' && this.isLazy[number] === 0 ? [{ atom: number, predicate: atom.predicate }] : []
    }))
  }

  #internGroup(logsource: RuleLogsource): number {
    const keys = listLogsources(logsource).map(({ category, product, service }) => toLogsourceKey(category, product, service))
    const name = keys.join(' ')
    const known = this.#groupNumbers.get(name)
    if (known !== undefined) return known
    const group = this.#groupNumbers.size
    this.#groupNumbers.set(name, group)
    for (const key of keys) this.#groupsByKey.set(key, [...(this.#groupsByKey.get(key) ?? []), group])
    return group
  }

  /** Estimates how often an atom is true; atoms without a requirement are the last choice for an anchor. */
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

  /** Finds expensive atoms, which would run a regular expression on every new value: they are lazy unless they anchor a rule. */
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

function weighAtom(atom: Atom): number {
  return atom.kind === 'field' ? weighPredicate(atom.predicate) : 1
}
