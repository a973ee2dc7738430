import { z } from 'zod'
import { jsonObject } from '../json-object.ts'
import { toProfileName } from './profile.ts'
import type { ByProfile, Naming, Profile } from './profile.ts'
import { expandWord, listWords } from './vocabulary.ts'
import type { Vocabulary } from './vocabulary.ts'

/**
 * A bidirectional mapping between an internal value and its form on the wire, as in a bidirectional programming language's
 * lenses: for each profile the schema of the form, and the functions there and back. `parse(render(x))` is `x`, but for words
 * that a profile does not tell apart. Methods, so that a table may hold shapes of different values.
 */
export type Shape<Value> = {
  toSchema(profile: Profile): z.ZodType
  render(profile: Profile, value: Value): unknown
  /** Parses what the schema has validated. */
  parse(profile: Profile, wire: unknown): Value
  /** Of a record: what the profile calls each field. */
  nameFields?(profile: Profile): ReadonlyMap<string, string>
}

/** The internal value of a shape. */
export type ValueOf<Of> = Of extends Shape<infer Value> ? Value : never

/** A value that is the same in both profiles. */
export function plain<Value>(schema: z.ZodType<Value>): Shape<Value> {
  return { toSchema: () => schema, render: (_profile, value) => value, parse: (_profile, wire) => schema.parse(wire) }
}

export const text = plain(z.string())
export const count = plain(z.int().min(0))
export const number = plain(z.number())
export const flag = plain(z.boolean())
/** A JSON object whose keys are data, such as the fields of an event. */
export const verbatim = plain(jsonObject)

/** An instant of an answer: milliseconds since 1970, as RFC 3339 in UTC with milliseconds. Requests take `time`, which is wider. */
export const instant: Shape<number> = {
  toSchema: () => z.iso.datetime(),
  render: (_profile, at) => new Date(at).toISOString(),
  parse: (_profile, wire) => Date.parse(String(wire)),
}

/** One of the words of a vocabulary. */
export function word<Word extends string>(vocabulary: Vocabulary<Word>): Shape<Word> {
  return {
    toSchema: (profile) => z.enum(listWords(vocabulary, profile)),
    render: (profile, value) => vocabulary[value][profile],
    parse(profile, wire) {
      const [first] = expandWord(vocabulary, profile, String(wire))
      if (first === undefined) throw new Error(`'${String(wire)}' is no word of the vocabulary`)
      return first
    },
  }
}

/** A word as all internal words that the profile shows as it, for changes that must not undo what the profile cannot show. */
export function anyWord<Word extends string>(vocabulary: Vocabulary<Word>): Shape<readonly Word[]> {
  const single = word(vocabulary)
  return {
    toSchema: (profile) => single.toSchema(profile),
    render(profile, [first]) {
      if (first === undefined) throw new Error('no word has no form')
      return single.render(profile, first)
    },
    parse: (profile, wire) => expandWord(vocabulary, profile, String(wire)),
  }
}

export function list<Value>(
  of: Shape<Value>, { lengthMin = 0, lengthMax }: { readonly lengthMin?: number; readonly lengthMax?: number } = {},
): Shape<readonly Value[]> {
  return {
    toSchema(profile) {
      const items = z.array(of.toSchema(profile)).min(lengthMin)
      return lengthMax === undefined ? items : items.max(lengthMax)
    },
    render: (profile, values) => values.map((value) => of.render(profile, value)),
    parse: (profile, wire) => (Array.isArray(wire) ? wire : []).map((value) => of.parse(profile, value)),
  }
}

export function nullable<Value>(of: Shape<Value>): Shape<Value | null> {
  return {
    toSchema: (profile) => of.toSchema(profile).nullable(),
    render: (profile, value) => (value === null ? null : of.render(profile, value)),
    parse: (profile, wire) => (wire === null ? null : of.parse(profile, wire)),
  }
}

/** A field of a record: a row of its table. */
type Field<Value> = {
  readonly shape: Shape<Value>
  /** Its name where it is not the internal one in the case of the profile. */
  readonly naming?: Naming
  readonly isOptional?: true
  /** What a missing value means in each profile; it makes the field optional on the wire. */
  readonly missing?: ByProfile<Value>
}

/** A field that is computed for a profile from the others, and ignored when it is parsed. */
type DerivedField = {
  readonly shape: Shape<unknown>
  readonly naming?: Naming
  readonly derive: (record: { readonly [name: string]: unknown }, profile: Profile) => unknown
}

/** A field under other names. */
export function named<Value>(shape: Shape<Value>, naming: Naming): Field<Value> {
  return { shape, naming }
}

/** A field that may be absent. */
export function optional<Value>(shape: Shape<Value>, naming: Naming = {}): Field<Value> & { readonly isOptional: true } {
  return { shape, naming, isOptional: true }
}

type AnyField = Shape<unknown> | Field<unknown> | DerivedField
type Fields = { readonly [name: string]: AnyField }

type ValueOfField<Of> = Of extends { readonly shape: Shape<infer Value> } ? Value : Of extends Shape<infer Value> ? Value : never
type OptionalNames<Of> = { [Name in keyof Of]: Of[Name] extends { readonly isOptional: true } ? Name : never }[keyof Of]
type DerivedNames<Of> = { [Name in keyof Of]: Of[Name] extends { readonly derive: unknown } ? Name : never }[keyof Of]

/** The internal record of a table of fields: those that are derived are not in it. */
type RecordOf<Of> =
  & { readonly [Name in Exclude<keyof Of, OptionalNames<Of> | DerivedNames<Of>>]: ValueOfField<Of[Name]> }
  & { readonly [Name in OptionalNames<Of>]?: ValueOfField<Of[Name]> }

/** An object: a table of its fields by internal name. Both profiles have all of them, so a new field is one row. */
export function record<const Of extends Fields>(fields: Of): Shape<RecordOf<Of>> {
  const rows = Object.entries(fields).map(([name, field]) => toRow(name, field))
  return {
    toSchema(profile) {
      const members = rows.map(({ naming, name, shape, isOptional }) => {
        const schema = shape.toSchema(profile)
        return [toProfileName(profile, name, naming), isOptional ? schema.optional() : schema] as const
      })
      return z.strictObject(Object.fromEntries(members))
    },
    render: (profile, value) => renderRecord(rows, profile, value),
    parse: (profile, wire) => parseRecord(rows, profile, wire) as RecordOf<Of>,
    nameFields: (profile) => new Map(rows.map(({ name, naming }) => [name, toProfileName(profile, name, naming)])),
  }
}

type Row = {
  readonly name: string
  readonly shape: Shape<unknown>
  readonly naming: Naming
  readonly isOptional: boolean
  readonly missing: ByProfile<unknown> | undefined
  readonly derive: DerivedField['derive'] | undefined
}

function toRow(name: string, field: AnyField): Row {
  if (!('shape' in field)) return { name, shape: field, naming: {}, isOptional: false, missing: undefined, derive: undefined }
  const { shape, naming = {} } = field
  if ('derive' in field) return { name, shape, naming, isOptional: false, missing: undefined, derive: field.derive }
  const { missing, isOptional = false } = field
  return { name, shape, naming, isOptional: isOptional || missing !== undefined, missing, derive: undefined }
}

function renderRecord(rows: readonly Row[], profile: Profile, value: object): object {
  const record = value as { readonly [name: string]: unknown }
  const rendered: { [name: string]: unknown } = {}
  for (const { name, naming, shape, derive } of rows) {
    const inner = derive === undefined ? record[name] : derive(record, profile)
    if (inner !== undefined) rendered[toProfileName(profile, name, naming)] = shape.render(profile, inner)
  }
  return rendered
}

function parseRecord(rows: readonly Row[], profile: Profile, wire: unknown): object {
  const given = wire as { readonly [name: string]: unknown }
  const parsed: { [name: string]: unknown } = {}
  for (const { name, naming, shape, missing, derive } of rows) {
    const wireName = toProfileName(profile, name, naming)
    const inner = Object.hasOwn(given, wireName) ? given[wireName] : undefined
    if (derive !== undefined) continue
    if (inner !== undefined) parsed[name] = shape.parse(profile, inner)
    else if (missing !== undefined) parsed[name] = missing[profile]
  }
  return parsed
}
