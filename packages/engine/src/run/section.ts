import type { FieldAliases, Logsource, NormalizedEvent } from '../event/event.ts'
import { leafTexts } from '../event/leaves.ts'
import type { FieldValue } from '../event/value.ts'
import type { FieldAtoms } from '../plan/field-atoms.ts'
import type { RuleIndex } from '../plan/rule-index.ts'
import { FieldReader } from './field-reader.ts'
import type { RuleMemory } from './rule-memory.ts'

/** Rules that were indexed together; `numbers` are theirs in the rule set, -1 for those that run no more. */
export type Part = { readonly index: RuleIndex; readonly numbers: Int32Array }

/** The rules of one part of a rule set, for the events of one route. */
export class Section {
  readonly part: Part
  readonly memory: RuleMemory
  /** The number of the route in the memory. */
  readonly route: number
  /** Numbers in the index of the fields that are read by name. */
  readonly fields: readonly number[]
  /** What is looked for in all leaves of an event. */
  readonly leaves: FieldAtoms | undefined
  readonly #readers = new Map<FieldAliases, FieldReader>()
  readonly #readersIgnoringCase = new Map<FieldAliases, FieldReader>()
  readonly #values: FieldValue[]

  constructor(part: Part, memory: RuleMemory, logsources: readonly Logsource[] | 'all') {
    this.part = part
    this.memory = memory
    this.route = memory.routeOf(logsources)
    const { fields, groups } = memory.route(this.route)
    const leaves = fields.find((field) => part.index.fields[field] === undefined)
    this.fields = fields.filter((field) => part.index.fields[field] !== undefined)
    this.leaves = leaves === undefined ? undefined : part.index.fieldAtomsOf(leaves, groups)
    this.#values = this.fields.map(() => undefined)
  }

  /** Whether it has no rule at all. */
  get isEmpty(): boolean {
    return !this.memory.route(this.route).groups.includes(1)
  }

  /** The state in which the walk of an event ends. */
  walk(event: NormalizedEvent): number {
    const { fields, memory } = this
    const values = this.#values
    this.#readerOf(event).read(event.fields, values)
    let state = memory.rootOf(this.route)
    for (let i = 0; i < values.length; i++) {
      const value = values[i]
      if (value !== undefined) state = memory.step(state, memory.classOf(fields[i]!, value))
    }
    if (this.leaves === undefined) return state
    return memory.step(state, memory.internClass(this.leaves.heldBy(leafTexts(event.fields))))
  }

  /** The numbers in the rule set of all its rules that still run. */
  get rules(): readonly number[] {
    const { groups } = this.memory.route(this.route)
    const { index, numbers } = this.part
    return Array.from(numbers).filter((number, rule) => number !== -1 && groups[index.groupOf[rule]!] === 1)
  }

  /** Fields are few and aliases interned: one reader for each way in which events name their fields. */
  #readerOf({ aliases, ignoresNameCase }: NormalizedEvent): FieldReader {
    const readers = ignoresNameCase ? this.#readersIgnoringCase : this.#readers
    const known = readers.get(aliases)
    if (known !== undefined) return known
    const names = this.fields.map((field) => this.part.index.fields[field] ?? '')
    const reader = new FieldReader(names, aliases, ignoresNameCase)
    readers.set(aliases, reader)
    return reader
  }
}
