import type { FieldAliases, NormalizedEvent } from '../event/event.ts'
import { FieldReader } from '../event/field-reader.ts'
import { foldCase } from '../event/fold-case.ts'
import { parseNumber } from '../event/parse-number.ts'
import { toText } from '../event/value.ts'
import type { FieldValue, Scalar } from '../event/value.ts'
import { limits } from '../limits.ts'
import { isShare } from './asked.ts'
import type { CompiledCorrelation, CorrelationMember } from './compiled-correlation.ts'
import { groupKeyOf } from './group-key.ts'
import type { MeasuredValue } from './measure.ts'

/** What an event means to a correlation: the groups that it belongs to, and the values that it brings to each. */
export type Reading = { readonly keys: readonly string[]; readonly values: readonly MeasuredValue[] }

/** Why an event means nothing to a correlation, though one of its rules matched it. */
export type Unread = { readonly missing: 'group' | 'value'; readonly field: string }

/** Reads the fields that a correlation asks for out of the events of one of its members. */
export class ContributionReader {
  readonly #groupCount: number
  readonly #fields: readonly string[]
  readonly #isNumeric: boolean
  readonly #isComposite: boolean
  /** Readers by how an event's fields are called. */
  readonly #readers = new Map<FieldAliases, { readonly cased: FieldReader; readonly uncased: FieldReader }>()
  readonly #held: FieldValue[]

  constructor({ rule }: CompiledCorrelation, { groupFields, valueFields }: CorrelationMember) {
    const { type } = rule.correlation
    this.#groupCount = groupFields.length
    this.#fields = [...groupFields, ...valueFields]
    this.#isNumeric = type.startsWith('value_') && type !== 'value_count' && !isShare(rule.correlation)
    this.#isComposite = valueFields.length > 1
    this.#held = this.#fields.map(() => undefined)
  }

  /** Reads an event that the member matched. */
  read(event: NormalizedEvent): Reading | Unread {
    this.#readerFor(event).read(event.fields, this.#held)
    return this.#readingOf((field) => this.#held[field])
  }

  /** Reads a match of a correlation, whose fields are its group (D-48). */
  readGroup(group: ReadonlyMap<string, string>): Reading | Unread {
    return this.#readingOf((field) => group.get(this.#fields[field]!))
  }

  #readingOf(valueAt: (field: number) => FieldValue): Reading | Unread {
    // Most events are in one group and bring nothing but themselves.
    const only = this.#fields.length === 1 && this.#groupCount === 1 ? valueAt(0) : undefined
    if (typeof only === 'string') return { keys: [groupKeyOf([only])], values: oneUndefined }
    const groups: string[][] = []
    for (let field = 0; field < this.#groupCount; field++) {
      const texts = textsIn(valueAt(field))
      // An event that lacks what it would be grouped by belongs to no group (D-46).
      if (texts.length === 0) return { missing: 'group', field: this.#fields[field]! }
      groups.push(texts)
    }
    const keys = combined(groups).map(groupKeyOf)
    if (this.#groupCount === this.#fields.length) return { keys, values: oneUndefined }
    const values = this.#valuesIn(valueAt)
    return values.length === 0 ? { missing: 'value', field: this.#fields[this.#groupCount]! } : { keys, values }
  }

  /** The values of an event; several fields make one value together, of which no part may be missing (D-39). */
  #valuesIn(valueAt: (field: number) => FieldValue): readonly MeasuredValue[] {
    const first = valueAt(this.#groupCount)
    if (this.#isNumeric) return scalarsIn(first).map(parseNumber).filter(Number.isFinite)
    if (!this.#isComposite) return textsIn(first).map((text) => groupKeyOf([text]))
    const parts: string[][] = []
    for (let field = this.#groupCount; field < this.#fields.length; field++) parts.push(textsIn(valueAt(field)))
    return parts.some(({ length }) => length === 0) ? [] : combined(parts).map(groupKeyOf)
  }

  #readerFor({ aliases, ignoresNameCase }: NormalizedEvent): FieldReader {
    let readers = this.#readers.get(aliases)
    if (readers === undefined) {
      readers = { cased: new FieldReader(this.#fields, aliases, false), uncased: new FieldReader(this.#fields, aliases, true) }
      this.#readers.set(aliases, readers)
    }
    return ignoresNameCase ? readers.uncased : readers.cased
  }
}

const oneUndefined: readonly MeasuredValue[] = [undefined]

function scalarsIn(value: FieldValue): readonly Scalar[] {
  if (value === undefined || value === null) return []
  return typeof value === 'object' ? value.slice(0, limits.groupsOfEventMax) : [value]
}

/** The texts of a field, each once, whatever its case, in the spelling that comes first. */
function textsIn(value: FieldValue): string[] {
  if (typeof value === 'string') return [value]
  const texts = scalarsIn(value).map(toText).filter((text) => text !== null)
  if (texts.length < 2) return texts
  return [...new Map(texts.toReversed().map((text) => [foldCase(text), text])).values()].toReversed()
}

/** Every way to take one text of each list, at most `limits.groupsOfEventMax` of them. */
function combined(lists: readonly (readonly string[])[]): string[][] {
  if (lists.every(({ length }) => length === 1)) return [lists.map(([text]) => text!)]
  let combinations: string[][] = [[]]
  for (const list of lists) {
    combinations = combinations.flatMap((combination) => list.map((text) => [...combination, text]))
    combinations = combinations.slice(0, limits.groupsOfEventMax)
  }
  return combinations
}
