import fc from 'fast-check'
import { object } from './documented.ts'
import type { Json } from './documented.ts'

/** Values that a name stands for, where nearly no generated one would be good: ids, rules, queries, passwords. */
export type KnownValues = { readonly [name: string]: readonly unknown[] }

type Context = {
  /** The schemas that references name. */
  readonly schemas: Json
  readonly known: KnownValues
  readonly name?: string
  readonly depth: number
}

const depthMax = 6
const hostileTexts = ['', ' ', '\u0000', '\ud800', '../..', "' or 1=1 --", '__proto__', 'a'.repeat(5_000), '\u202e', '%00', '1e999']

/** Generates values that a JSON schema describes. */
export function createArbitrary(schema: Json, { depth, ...context }: Context): fc.Arbitrary<unknown> {
  const known = context.name === undefined ? undefined : context.known[context.name]
  const generated = generate(schema, { ...context, depth: depth + 1 })
  return known === undefined || known.length === 0 ? generated : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, generated)
}

function generate(schema: Json, context: Context): fc.Arbitrary<unknown> {
  const { $ref: reference, type, anyOf, oneOf } = schema
  if (typeof reference === 'string') {
    return createArbitrary(object(context.schemas[reference.split('/').at(-1) ?? '']), context)
  }
  if (Object.hasOwn(schema, 'const')) return fc.constant(schema['const'])
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]))
  const options: unknown = anyOf ?? oneOf
  if (Array.isArray(options)) {
    const usable: readonly unknown[] = context.depth > depthMax ? findEnds(options) : options
    return fc.oneof(...usable.map((option) => createArbitrary(object(option), context)))
  }
  if (Array.isArray(type)) return fc.oneof(...type.map((each) => generate({ ...schema, type: String(each) }, context)))
  switch (type) {
    case 'string':
      return createText(schema)
    case 'integer':
      return fc.integer({ min: toNumber(schema['minimum'], -10), max: Math.min(toNumber(schema['maximum'], 1_000), 2 ** 31 - 1) })
    case 'number':
      return fc.double({ min: toNumber(schema['minimum'], -10), max: toNumber(schema['maximum'], 1_000), noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return createArray(schema, context)
    case 'object':
      return createObject(schema, context)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

const scalarTypes: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'null'])

/** The options in which a deep value ends: scalars, or else the last one, which is the simplest by custom. */
function findEnds(options: readonly unknown[]): readonly unknown[] {
  const scalars = options.filter((option) => scalarTypes.has(object(option)['type']))
  return scalars.length > 0 ? scalars : options.slice(-1)
}

function createText({ pattern, format, minLength, maxLength }: Json): fc.Arbitrary<string> {
  const bounds = { minLength: toNumber(minLength, 0), maxLength: Math.min(toNumber(maxLength, 24), 24) }
  if (typeof pattern === 'string') {
    // A pattern may ask for more than usual texts have, such as the digits of a hash.
    const counts = Array.from(pattern.matchAll(/\{(\d+)/g), ([, digits]) => Number(digits))
    return fc.stringMatching(new RegExp(pattern), { maxLength: Math.max(bounds.maxLength, ...counts) })
  }
  if (format === 'date-time') return fc.integer({ min: 0, max: 4e12 }).map((at) => new Date(at).toISOString())
  if (format === 'date') return fc.integer({ min: 0, max: 4e12 }).map((at) => new Date(at).toISOString().slice(0, 10))
  if (format === 'email') return fc.constantFrom('ann@example.org', 'new@example.org', 'none@example.org')
  const usual = fc.string(bounds)
  return bounds.minLength > 0 ? usual : fc.oneof({ weight: 6, arbitrary: usual }, fc.constantFrom(...hostileTexts))
}

function createArray({ items, minItems, maxItems, uniqueItems }: Json, context: Context): fc.Arbitrary<unknown[]> {
  const minLength = toNumber(minItems, 0)
  const maxLength = Math.max(minLength, Math.min(toNumber(maxItems, 3), context.depth > depthMax ? 0 : 3))
  const item = createArbitrary(object(items), context)
  return uniqueItems === true ? fc.uniqueArray(item, { minLength, maxLength }) : fc.array(item, { minLength, maxLength })
}

function createObject({ properties, required, additionalProperties }: Json, context: Context): fc.Arbitrary<unknown> {
  const requiredKeys = Array.isArray(required) ? required.map(String) : []
  // What is deep leaves out what it may.
  const names = Object.keys(object(properties)).filter((name) => context.depth <= depthMax || requiredKeys.includes(name))
  const members = names.map((name) => {
    return [name, createArbitrary(object(object(properties)[name]), { ...context, name })] as const
  })
  const record = fc.record(Object.fromEntries(members), { requiredKeys })
  if (members.length > 0 || additionalProperties === false) return record
  const { name: _name, ...others } = context
  return fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), createArbitrary(object(additionalProperties), others), { maxKeys: 3 })
}

/** Spoils a value in one place: a wrong type, a missing or an additional member. */
export function spoil(value: unknown): fc.Arbitrary<unknown> {
  const wrong = fc.constantFrom<unknown>(null, -1, 1e300, true, [], {}, [null], { a: { b: {} } }, ...hostileTexts)
  if (typeof value !== 'object' || value === null) return wrong
  const names = Object.keys(value)
  if (names.length === 0) return fc.constant(Array.isArray(value) ? [null] : { unknown: 1 })
  const place = fc.constantFrom(...names)
  const replaced = fc.tuple(place, wrong).map(([name, bad]) => replace(value, name, () => bad))
  const deeper = place.chain((name) => spoil(Reflect.get(value, name)).map((bad) => replace(value, name, () => bad)))
  const removed = place.map((name) => Object.fromEntries(Object.entries(value).filter(([key]) => key !== name)))
  return fc.oneof(replaced, deeper, removed, fc.constant({ ...value, unknown: 1 }), wrong)
}

function replace(value: object, name: string, change: () => unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown, index) => (String(index) === name ? change() : item))
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, key === name ? change() : inner]))
}

function toNumber(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}
