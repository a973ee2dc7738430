import fc from 'fast-check'
import { createArbitrary, spoil } from './arbitrary-json.ts'
import type { KnownValues } from './arbitrary-json.ts'
import { object } from './documented.ts'
import type { Json, Operation } from './documented.ts'

/** Who sends a request. */
export const principals = [
  'admin', 'engineer', 'analyst', 'viewer', 'auditor', 'operator', 'foreign admin', 'read-only key', 'read-write key', 'connector',
  'monitoring', 'nobody', 'garbage',
] as const
export type FuzzPrincipal = (typeof principals)[number]

/** A generated request, valid or nearly so. */
export type FuzzRequest = {
  readonly method: string
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  readonly body: unknown
  readonly principal: FuzzPrincipal
}

/** Generates requests of an operation from its description alone, and from values that are known to exist. */
export function createRequests(operation: Operation, schemas: Json, known: KnownValues): fc.Arbitrary<FuzzRequest> {
  const valid = createRequest(operation, { schemas, known, isValid: true })
  return fc.oneof({ weight: 1, arbitrary: valid }, { weight: 2, arbitrary: createRequest(operation, { schemas, known, isValid: false }) })
}

type Context = {
  readonly schemas: Json
  readonly known: KnownValues
  /** Whether everything is as the document describes it; else some of it is spoiled. */
  readonly isValid: boolean
}

const operatorOnly = /^\/(?:v1\/tenants|metrics)/

function createRequest({ id, method, template, description }: Operation, context: Context): fc.Arbitrary<FuzzRequest> {
  const parameters = list(description['parameters']).map(object)
  const inPlace = (place: string): readonly Json[] => parameters.filter((parameter) => parameter['in'] === place)
  const query = createQuery(inPlace('query'), context)
  const trusted = fc.constantFrom<FuzzPrincipal>(...(operatorOnly.test(template) ? (['operator'] as const) : (['admin'] as const)))
  return fc.record({
    method: fc.constant(method),
    path: fc.tuple(createPath(template, context), query).map((parts) => parts.join('')),
    headers: context.isValid ? fc.constant({}) : createHeaders(inPlace('header')),
    body: method === 'GET' ? fc.constant(undefined) : createBody(object(description['requestBody']), context, context.known[`body of ${id}`] ?? []),
    principal: context.isValid ? trusted : fc.oneof({ weight: 3, arbitrary: trusted }, fc.constantFrom(...principals)),
  })
}

function createPath(template: string, { known, isValid }: Context): fc.Arbitrary<string> {
  const wrong = fc.constantFrom('none', '__proto__', '..%2f..', '%00', 'a'.repeat(300), '%F0%9F%98%80')
  const ids = [...template.matchAll(/\{\w+\}/g)].map(({ index }) => {
    const good = fc.constantFrom(...known[`id of ${template.slice(0, index)}`] ?? ['none'])
    return isValid ? good : fc.oneof({ weight: 4, arbitrary: good }, wrong)
  })
  return fc.tuple(...ids).map((values) => values.reduce<string>((path, value) => path.replace(/\{\w+\}/, () => String(value)), template))
}

function createQuery(parameters: readonly Json[], context: Context): fc.Arbitrary<string> {
  const members = parameters.map((parameter) => [String(parameter['name']), createParameter(parameter, context)] as const)
  const required = parameters.filter((parameter) => parameter['required'] === true).map((parameter) => String(parameter['name']))
  const given = fc.record(Object.fromEntries(members), { requiredKeys: required })
  // Every parameter at once would nearly always be too many.
  const few = fc.tuple(given, fc.infiniteStream(fc.boolean())).map(([values, coins]) => {
    return Object.entries(values).filter(([name]) => required.includes(name) || (coins.next().value === true && coins.next().value === true))
  })
  const unknown = fc.constantFrom<[string, string][]>([], ...(context.isValid ? [] : [[], [], [['unknown', 'x']]] as [string, string][][]))
  return fc.tuple(few, unknown).map(([known, more]) => {
    const text = [...known, ...more].map(([name, value]) => `${name}=${encodeURIComponent(toWellFormed(value))}`).join('&')
    return text === '' ? '' : `?${text}`
  })
}

function createParameter({ name, schema, content }: Json, { schemas, known, isValid }: Context): fc.Arbitrary<string> {
  const { schema: inContent } = object(object(content)['application/json'])
  const value = createArbitrary(object(schema ?? inContent), { schemas, known, name: String(name), depth: 0 })
  const print = (given: unknown): string => {
    if (inContent !== undefined) return JSON.stringify(given)
    return Array.isArray(given) ? given.join(',') : String(given)
  }
  if (isValid) return value.map(print)
  return fc.oneof({ weight: 4, arbitrary: value.map(print) }, value.chain(spoil).map((bad) => (typeof bad === 'string' ? bad : JSON.stringify(bad))))
}

function createHeaders(parameters: readonly Json[]): fc.Arbitrary<FuzzRequest['headers']> {
  const values: { readonly [name: string]: readonly string[] } = {
    'If-Match': ['*', '"1"', '"2"', '"7"', 'W/"1"', 'x', ''],
    'If-None-Match': ['*', '"1"', '"2"', 'x'],
    'Idempotency-Key': ['key-1', 'key-2', 'key-3', 'a b', 'x'.repeat(300)],
  }
  const own = parameters.map((parameter) => String(parameter['name'])).map((name) => [name, values[name] ?? ['x']] as const)
  const general = [
    ['Accept', ['application/problem+json', 'text/html', '*/*']],
    ['X-Request-Id', ['a-request-of-mine', 'x', '<script>']],
    ['Content-Encoding', ['gzip', 'identity', 'x']],
    ['traceparent', ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 'x']],
  ] as const
  const members = [...own, ...general].map(([name, texts]) => [name, fc.option(fc.constantFrom(...texts), { nil: '', freq: 4 })] as const)
  return fc.record(Object.fromEntries(members)).map((given) => {
    const present = Object.entries(given).filter(([, text]) => text !== '')
    return Object.fromEntries(present)
  })
}

function createBody(requestBody: Json, { schemas, known, isValid }: Context, goodBodies: readonly unknown[]): fc.Arbitrary<unknown> {
  const content = object(requestBody['content'])
  const media = object(content['application/json'])
  if (Object.keys(content).length === 0) return fc.constantFrom<unknown>(undefined, undefined, {})
  const generated = createArbitrary(object(media['schema']), { schemas, known, depth: 0 })
  const good = goodBodies.length === 0 ? generated : fc.oneof({ weight: 2, arbitrary: generated }, fc.constantFrom(...goodBodies))
  if (isValid) return good
  const texts = fc.constantFrom('', 'x', '{', '[]', 'null', '{"a":1}\n{"b":2}', 'name,email\nann,ann@example.org', '\u0000')
  return fc.oneof({ weight: 5, arbitrary: good }, { weight: 3, arbitrary: good.chain(spoil) }, { weight: 1, arbitrary: texts })
}

/** A lone surrogate has no encoding in a URL. */
function toWellFormed(text: string): string {
  return text.replaceAll(/\p{Cs}/gu, '\ufffd')
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
