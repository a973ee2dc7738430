import { isJsonObject } from '@tripline/common/json'
import { z } from 'zod'
import { consoleInfo } from '../../src/http/api-docs.ts'
import { createOpenApi } from '../../src/http/openapi.ts'
import type { OpenApiInfo } from '../../src/http/openapi.ts'
import { noExamples } from '../../src/http/openapi/example-types.ts'
import type { Route } from '../../src/http/route.ts'

/** A part of the OpenAPI document. */
export type Json = { readonly [name: string]: unknown }

/** An operation as the document describes it. */
export type Operation = {
  readonly id: string
  readonly method: string
  /** With `{name}` for parameters. */
  readonly template: string
  readonly description: Json
}

/** A response of a server, with lower-case names of headers. */
export type ReceivedResponse = {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: unknown
}

/** Headers that every response has to protect browsers, or that belong to HTTP or CORS; the document does not list them. */
const generalHeaders = /^(?:cache-control|content-(?:type|length|encoding|security-policy)|cross-origin-resource-policy|referrer-policy|vary|x-content-type-options|strict-transport-security|access-control-.*)$/

/** An OpenAPI document, the console API's unless said otherwise, as a judge of responses. */
export class DocumentedApi {
  readonly document: Json
  readonly operations: readonly Operation[]
  /** Statuses of paths that do not exist: the public API asks for a key first. */
  readonly #unknownStatuses: readonly number[]
  readonly #schemas = new Map<string, z.ZodType>()

  constructor(routes: readonly Route[], info: OpenApiInfo = consoleInfo) {
    this.#unknownStatuses = info === consoleInfo ? [404, 405] : [400, 401, 404, 405, 429]
    this.document = createOpenApi(routes, info, noExamples)
    const paths = Object.entries(object(this.document['paths']))
    const operations = paths.flatMap(([template, methods]) => Object.entries(object(methods)).map(([method, operation]) => {
      const description = object(operation)
      return { id: String(description['operationId']), method: method.toUpperCase(), template, description }
    }))
    // A fixed path comes before one with a parameter in the same place.
    this.operations = operations.toSorted((a, b) => countParameters(a) - countParameters(b))
  }

  /** The operation that a request addresses; undefined where there is none, which is answered with 404 or 405. */
  find(method: string, path: string): Operation | undefined {
    const [pathname = ''] = path.replace(/^https?:\/\/[^/]+/, '').split('?')
    const wanted = method === 'HEAD' ? 'GET' : method
    return this.operations.find((operation) => operation.method === wanted && toPattern(operation).test(pathname))
  }

  /** What a response has that the document does not allow: its status, its error code, a header. */
  findProblems(method: string, path: string, { status, headers, body }: ReceivedResponse): readonly string[] {
    const operation = this.find(method, path)
    if (operation === undefined) return this.#unknownStatuses.includes(status) || method === 'OPTIONS' ? [] : [`${status} of an unknown operation`]
    const response = this.#resolve(object(operation.description['responses'])[status])
    if (response === undefined) return [`the status ${status} is not documented: ${JSON.stringify(body)?.slice(0, 200)}`]
    const documented = object(response['headers'])
    const names = new Set(Object.keys(documented).map((name) => name.toLowerCase()))
    const extra = Object.keys(headers).filter((name) => !names.has(name) && !generalHeaders.test(name))
    const required = Object.entries(documented).filter(([, header]) => this.#resolve(header)?.['required'] === true)
    const missing = required.filter(([name]) => headers[name.toLowerCase()] === undefined)
    return [
      ...extra.map((name) => `the header ${name} of ${status} is not documented`),
      ...missing.map(([name]) => `the header ${name} of ${status} is missing`),
      ...findUndocumentedCode(response, body),
    ]
  }

  /** How the body of a response differs from its schema. */
  findSchemaProblems(method: string, path: string, { status, headers, body }: ReceivedResponse): readonly string[] {
    const operation = this.find(method, path)
    const response = this.#resolve(object(operation?.description['responses'])[status])
    const content = object(response?.['content'])
    const [type = ''] = (headers['content-type'] ?? '').split(';')
    if (Object.keys(content).length === 0) return body === undefined ? [] : [`a body where ${status} documents none`]
    const media = content[type]
    if (!isJsonObject(media)) return [`the type '${type}' of ${status} is not documented`]
    // A list of lines without an entry is an empty text, which is no body to a client.
    const text = type === 'application/x-ndjson' && body === undefined ? '' : body
    const parsed = this.#toValidator(object(media['schema'])).safeParse(text)
    return parsed.success ? [] : [z.prettifyError(parsed.error)]
  }

  /** A part that a reference names, or the part itself. */
  #resolve(part: unknown): Json | undefined {
    if (!isJsonObject(part)) return undefined
    const reference = part['$ref']
    if (typeof reference !== 'string') return part
    return reference.slice(2).split('/').reduce((at: Json, step) => object(at[step]), this.document)
  }

  #toValidator(schema: Json): z.ZodType {
    const text = JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/')
    const known = this.#schemas.get(text)
    if (known !== undefined) return known
    const definitions = JSON.stringify(object(object(this.document['components'])['schemas']))
    const $defs: unknown = JSON.parse(definitions.replaceAll('#/components/schemas/', '#/$defs/'))
    const validator = z.fromJSONSchema({ ...(JSON.parse(text) as object), $defs } as Parameters<typeof z.fromJSONSchema>[0])
    this.#schemas.set(text, validator)
    return validator
  }
}

function countParameters({ template }: Operation): number {
  return template.split('{').length
}

function toPattern({ template }: Operation): RegExp {
  return new RegExp(`^${template.replaceAll('.', '[.]').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

/** The code of an error that the response does not list for its status. */
function findUndocumentedCode(response: Json, body: unknown): readonly string[] {
  const error = object(object(body)['error'])
  const code = error['code'] ?? object(body)['code']
  const isError = isJsonObject(body) && (Object.hasOwn(body, 'error') || Object.hasOwn(body, 'detail'))
  if (!isError || typeof code !== 'string') return []
  const listed = JSON.stringify(object(response['content'])).includes(`"${code}"`)
  return listed ? [] : [`the code ${code} is not documented: ${String(error['message'])}`]
}

/** A JSON object, empty for anything else. */
export function object(value: unknown): Json {
  return isJsonObject(value) ? value : {}
}
