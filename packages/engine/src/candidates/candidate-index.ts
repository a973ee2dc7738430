import type { Batch, Column, Rows } from '../event/batch.ts'
import type { FieldTable } from '../event/field-table.ts'
import type { FieldText, FieldValue } from '../event/value.ts'
import { numberOf } from '../predicate/matchers/number.ts'
import { NeedleFinder } from './needle-finder.ts'
import type { Anchor, Needle, Requirement } from './requires.ts'
import type { FieldMemory, ValueMemory } from './value-memory.ts'

/** What indexes share: where fields get their slots, and the memory of values. */
export type IndexParts = { readonly fields: FieldTable; readonly memory: ValueMemory }

/** Takes a rule and the rows worth trying it on. */
export type CandidateVisitor = (rule: number, rows: Rows, count: number) => void

/**
 * Says for a batch which rules are worth trying on which rows: those of which a needle was found there. It
 * never leaves out a row that the rule matches. Rules without a requirement are tried on every row.
 */
export class CandidateIndex {
  readonly #unconditional: readonly number[]
  readonly #columns: readonly IndexedColumn[]
  /** Rows of each rule while one batch is looked at, and the row that was added last, plus one. */
  readonly #rowsOfRule = new Map<number, number[]>()
  readonly #lastRow = new Map<number, number>()

  /** Makes an index over some rules; the fields of their needles get slots. */
  constructor(rules: readonly number[], requirementOf: (rule: number) => Requirement | undefined, { fields, memory }: IndexParts) {
    const unconditional: number[] = []
    const byField = new Map<string | undefined, { needle: Needle; rule: number }[]>()
    for (const rule of rules) {
      const requirement = requirementOf(rule)
      if (requirement === undefined) unconditional.push(rule)
      for (const needle of requirement ?? []) {
        const ofField = byField.get(needle.field) ?? []
        ofField.push({ needle, rule })
        byField.set(needle.field, ofField)
      }
    }
    this.#unconditional = unconditional
    this.#columns = Array.from(byField, ([field, needles]) => {
      const slot = field === undefined ? undefined : fields.slotOf(field)
      return new IndexedColumn((batch) => (slot === undefined ? batch.leaves : batch.column(slot)), needles, memory)
    })
  }

  /** Calls `visit` for every rule with the rows of a batch that are worth trying, ascending. */
  visit(batch: Batch, visit: CandidateVisitor): void {
    const rows = Uint32Array.from(batch.events.keys())
    for (const rule of this.#unconditional) visit(rule, rows, rows.length)
    for (const row of rows) {
      for (const column of this.#columns) column.visitRules(batch, row, (rule) => this.#add(rule, row))
    }
    for (const [rule, found] of this.#rowsOfRule) visit(rule, Uint32Array.from(found), found.length)
    this.#rowsOfRule.clear()
    this.#lastRow.clear()
  }

  #add(rule: number, row: number): void {
    if (this.#lastRow.get(rule) === row) return
    this.#lastRow.set(rule, row)
    const known = this.#rowsOfRule.get(rule)
    if (known === undefined) this.#rowsOfRule.set(rule, [row])
    else known.push(row)
  }
}

/** The needles of one field: which rules a value makes worth trying. */
class IndexedColumn {
  readonly #columnOf: (batch: Batch) => Column
  readonly #finder: NeedleFinder
  /** Rules by the number of a text needle, and by the value of a number needle. */
  readonly #rulesOfText: readonly (readonly number[])[]
  readonly #rulesOfNumber: ReadonlyMap<number, readonly number[]>
  readonly #memory: ValueMemory
  readonly #known: FieldMemory

  constructor(columnOf: (batch: Batch) => Column, needles: readonly { needle: Needle; rule: number }[], memory: ValueMemory) {
    this.#columnOf = columnOf
    this.#memory = memory
    this.#known = memory.addField()
    const texts = new Map<string, { anchor: Anchor; text: string; rules: number[] }>()
    const numbers = new Map<number, number[]>()
    for (const { needle, rule } of needles) {
      if (needle.kind === 'number') {
        numbers.set(needle.value, [...(numbers.get(needle.value) ?? []), rule])
        continue
      }
      const { anchor, text } = needle
      const key = `${anchor} ${text}`
      const same = texts.get(key)
      if (same === undefined) texts.set(key, { anchor, text, rules: [rule] })
      else same.rules.push(rule)
    }
    this.#finder = new NeedleFinder([...texts.values()])
    this.#rulesOfText = Array.from(texts.values(), ({ rules }) => rules)
    this.#rulesOfNumber = numbers
  }

  visitRules(batch: Batch, row: number, visit: (rule: number) => void): void {
    const column = this.#columnOf(batch)
    if (this.#rulesOfNumber.size > 0) this.#visitByNumber(column.value(row), visit)
    if (this.#rulesOfText.length > 0) this.#visitByText(column.folded(row), visit)
  }

  #visitByNumber(value: FieldValue, visit: (rule: number) => void): void {
    if (value === undefined) return
    for (const one of typeof value === 'object' && value !== null ? value : [value]) {
      for (const rule of this.#rulesOfNumber.get(numberOf(one)) ?? []) visit(rule)
    }
  }

  #visitByText(text: FieldText, visit: (rule: number) => void): void {
    if (text === null) return
    if (typeof text === 'string') this.#visitOne(text, visit)
    else for (const one of text) this.#visitOne(one, visit)
  }

  #visitOne(text: string, visit: (rule: number) => void): void {
    for (const rule of this.#rulesOf(text)) visit(rule)
  }

  #rulesOf(text: string): readonly number[] {
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const rules = new Set<number>()
    this.#finder.find(text, (needle) => {
      for (const rule of this.#rulesOfText[needle]!) rules.add(rule)
    })
    const found = [...rules]
    this.#memory.remember(this.#known, text, found)
    return found
  }
}
