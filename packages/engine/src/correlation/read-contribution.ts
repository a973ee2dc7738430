import type { FieldAliases, NormalizedEvent } from '../event/event.ts'
import { FieldReader } from '../event/field-reader.ts'
import { foldCase } from '../event/fold-case.ts'
import { parseNumber } from '../event/parse-number.ts'
import { toText } from '../event/value.ts'
import type { FieldValue, Scalar } from '../event/value.ts'
import { limits } from '../limits.ts'
import { scoreField } from '../sigma/correlation.ts'
import type { CompiledCorrelation, CorrelationMember } from './compiled-correlation.ts'
import type { MeasuredValue } from './contribution.ts'
import { isShare } from './group-condition.ts'
import { joinGroupKey } from './group-key.ts'

/** What an event means to a correlation: the groups that it belongs to, and the values that it brings to each. */
export type Reading = {
  readonly keys: readonly string[]
  readonly values: readonly MeasuredValue[]
  /** The fields that outer correlations read, as text (`printCarried`); undefined where they read none. */
  readonly carried: string | undefined
}

/** Why an event means nothing to a correlation, though one of its rules matched it. */
export type Unread = { readonly missing: 'group' | 'value'; readonly field: string }

/** Fields of a match of an inner correlation, by name. */
export type CarriedRecord = ReadonlyMap<string, FieldValue>

type ReaderOptions = {
  /** Fields that correlations which name this one read, by the names that they have in the member's events. */
  readonly carriedFields?: readonly string[]
  /** What the member states as its score. */
  readonly score?: number | undefined
}

const oneUndefined: readonly MeasuredValue[] = [undefined]

/** Reads the fields that a correlation needs out of the events of one of its members. */
export class ContributionReader {
  readonly #groupCount: number
  readonly #fields: readonly string[]
  readonly #isNumeric: boolean
  readonly #isComposite: boolean
  readonly #isCaseSensitive: boolean
  /** Where the fields that are carried to outer correlations begin. */
  readonly #carriedStart: number
  /** What the rule itself is worth, where that is what is added up. */
  readonly #score: number | undefined
  /** Readers by how an event's fields are called. */
  readonly #readers = new Map<FieldAliases, { readonly cased: FieldReader; readonly uncased: FieldReader }>()
  readonly #values: FieldValue[]

  constructor({ rule }: CompiledCorrelation, member: CorrelationMember, { carriedFields = [], score }: ReaderOptions = {}) {
    const { groupFields, valueFields } = member
    const { type, isCaseSensitive } = rule.correlation
    this.#groupCount = groupFields.length
    this.#carriedStart = groupFields.length + valueFields.length
    this.#fields = [...groupFields, ...valueFields, ...carriedFields]
    this.#isNumeric = type.startsWith('value_') && type !== 'value_count' && !isShare(rule.correlation)
    this.#isComposite = valueFields.length > 1
    this.#isCaseSensitive = isCaseSensitive
    this.#score = this.#isNumeric && valueFields[0] === scoreField ? score : undefined
    this.#values = this.#fields.map(() => undefined)
  }

  /** Reads an event that the member matched. */
  read(event: NormalizedEvent): Reading | Unread {
    this.#readerFor(event).read(event.fields, this.#values)
    return this.#interpret((field) => this.#values[field])
  }

  /** Reads a match of an inner correlation, whose fields are its group and what it carries. */
  readRecord(record: CarriedRecord): Reading | Unread {
    return this.#interpret((field) => record.get(this.#fields[field]!))
  }

  #interpret(valueAt: (field: number) => FieldValue): Reading | Unread {
    // Most events are in one group and bring nothing but themselves.
    const only = this.#fields.length === 1 && this.#groupCount === 1 ? valueAt(0) : undefined
    if (typeof only === 'string') return { keys: [joinGroupKey([only], this.#isCaseSensitive)], values: oneUndefined, carried: undefined }
    const groups: string[][] = []
    for (let field = 0; field < this.#groupCount; field++) {
      const texts = this.#textsIn(valueAt(field))
      // An event that lacks what it would be grouped by belongs to no group.
      if (texts.length === 0) return { missing: 'group', field: this.#fields[field]! }
      groups.push(texts)
    }
    const keys = combined(groups).map((texts) => joinGroupKey(texts, this.#isCaseSensitive))
    const carried = this.#carriedStart === this.#fields.length ? undefined : this.#printCarried(valueAt)
    if (this.#groupCount === this.#carriedStart) return { keys, values: oneUndefined, carried }
    const values = this.#valuesIn(valueAt)
    return values.length === 0 ? { missing: 'value', field: this.#fields[this.#groupCount]! } : { keys, values, carried }
  }

  /** The values of an event; several fields make one value together, of which no part may be missing. */
  #valuesIn(valueAt: (field: number) => FieldValue): readonly MeasuredValue[] {
    if (this.#score !== undefined) return [this.#score]
    const first = valueAt(this.#groupCount)
    if (this.#isNumeric) return scalarsIn(first).map(parseNumber).filter(Number.isFinite)
    if (!this.#isComposite) return this.#textsIn(first).map((text) => joinGroupKey([text], this.#isCaseSensitive))
    const parts: string[][] = []
    for (let field = this.#groupCount; field < this.#carriedStart; field++) parts.push(this.#textsIn(valueAt(field)))
    if (parts.some(({ length }) => length === 0)) return []
    return combined(parts).map((texts) => joinGroupKey(texts, this.#isCaseSensitive))
  }

  #printCarried(valueAt: (field: number) => FieldValue): string {
    const values: (readonly string[])[] = []
    for (let field = this.#carriedStart; field < this.#fields.length; field++) values.push(this.#textsIn(valueAt(field)))
    return JSON.stringify(values)
  }

  /** The texts of a field, each once, in the spelling that comes first. */
  #textsIn(value: FieldValue): string[] {
    if (typeof value === 'string') return [value]
    const texts = scalarsIn(value).map(toText).filter((text) => text !== null)
    if (texts.length < 2) return texts
    const fold = (text: string): string => (this.#isCaseSensitive ? text : foldCase(text))
    return [...new Map(texts.toReversed().map((text) => [fold(text), text])).values()].toReversed()
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

function scalarsIn(value: FieldValue): readonly Scalar[] {
  if (value === undefined || value === null) return []
  return typeof value === 'object' ? value.slice(0, limits.groupsOfEventMax) : [value]
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
