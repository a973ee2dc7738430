import { STATUS_CODES } from 'node:http'
import { z } from 'zod'
import { errorBodySchema, problemSchema } from '../contract/errors.ts'
import { isJsonObject } from '../domain/json.ts'
import type { Route } from './route.ts'

/** What the document says of itself. */
export type OpenApiInfo = { readonly title: string; readonly version: string; readonly description: string }

type Json = { readonly [name: string]: unknown }

/** Makes the OpenAPI 3.1 document of routes, out of the schemas that check what comes in and print what goes out. */
export function createOpenApi(routes: readonly Route[], info: OpenApiInfo): Json {
  const shared = new SharedSchemas()
  const errors = {
    'application/json': { schema: shared.add('Error', errorBodySchema, 'output') },
    'application/problem+json': { schema: shared.add('Problem', problemSchema, 'output') },
  }
  const paths: { [path: string]: { [method: string]: Json } } = {}
  for (const route of routes) {
    const path = (paths[toPathTemplate(route)] ??= {})
    path[route.method.toLowerCase()] = buildOperation(route, shared)
  }
  return {
    openapi: '3.1.0',
    info: { ...info, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: shared.all,
      responses: { Error: { description: 'An error: a stable code and a message', content: errors } },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  }
}

/** A name for each operation: `getDetectionRulesById`. */
export function toOperationId(route: Route): string {
  const steps = route.path.split('/').filter((step) => step !== '' && !/^v\d+$/.test(step))
  const words = steps.flatMap((step) => (step.startsWith(':') ? ['by', step.slice(1)] : step.split(/[^A-Za-z0-9]+/)))
  const named = words.filter((word) => word !== '').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return route.method.toLowerCase() + named.join('')
}

function buildOperation(route: Route, shared: SharedSchemas): Json {
  const operationId = toOperationId(route)
  const parameters = [...buildPathParameters(route), ...buildQueryParameters(route), ...buildHeaderParameters(route)]
  const isOpen = route.access === 'anyone'
  return {
    operationId,
    summary: route.summary,
    ...(isOpen ? {} : { description: describeAccess(route.access), security: [{ bearer: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && { requestBody: { required: true, content: toJsonContent(shared.add(`${operationId}Body`, route.body, 'input')) } }),
    responses: { ...buildResponses(route, operationId, shared), default: { $ref: '#/components/responses/Error' } },
  }
}

function describeAccess(access: Route['access']): string {
  if (access === 'sender') return 'Requires a connector token, an API key with write access, or the permission `send_events`.'
  if (access === 'scraper') return 'Requires the metrics token or the permission `administer_platform`.'
  return `Requires the permission \`${access}\`.`
}

function buildResponses(route: Route, operationId: string, shared: SharedSchemas): Json {
  return Object.fromEntries(Object.entries(route.responses).map(([status, schema]) => {
    const description = STATUS_CODES[status] ?? 'Answer'
    if (schema === null) return [status, { description }]
    return [status, { description, content: toJsonContent(shared.add(`${operationId}${status}`, schema, 'output')) }]
  }))
}

function buildPathParameters({ path }: Route): Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
}

function buildQueryParameters({ query }: Route): Json[] {
  if (query === undefined) return []
  const { properties, required } = toJsonSchema(query, 'input')
  if (!isJsonObject(properties)) return []
  return Object.entries(properties).map(([name, schema]) => {
    return { name, in: 'query', required: Array.isArray(required) && required.includes(name), schema }
  })
}

function buildHeaderParameters({ isIdempotent }: Route): Json[] {
  return isIdempotent === true ? [{ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string' } }] : []
}

/** `/v1/rules/:id` as OpenAPI writes it. */
function toPathTemplate({ path }: Route): string {
  return path.replaceAll(/:(\w+)/g, '{$1}')
}

function toJsonContent(schema: Json): Json {
  return { 'application/json': { schema } }
}

/** The schemas of a document under their names; those that a schema defines for itself move up beside it. */
class SharedSchemas {
  readonly all: { [name: string]: unknown } = {}

  /** Adds a schema and gives the reference to it. */
  add(name: string, schema: z.ZodType, direction: 'input' | 'output'): Json {
    const { $defs: inner = {}, ...whole } = toJsonSchema(schema, direction)
    const moved = (value: unknown) => renameReferences(value, (own) => `#/components/schemas/${name}.${own}`)
    for (const [own, definition] of Object.entries(isJsonObject(inner) ? inner : {})) this.all[`${name}.${own}`] = moved(definition)
    this.all[name] = moved(whole)
    return { $ref: `#/components/schemas/${name}` }
  }
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...printed }: Json = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    // What a format says already, its regular expression says in three hundred characters.
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern
    },
  })
  return printed
}

/** Copies JSON with its references into `$defs` renamed. Schemas are ours: their depth is that of our own code. */
function renameReferences(value: unknown, rename: (own: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renameReferences(item, rename))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => {
    const own = key === '$ref' && typeof inner === 'string' ? /^#\/\$defs\/(.+)$/.exec(inner)?.[1] : undefined
    return [key, own === undefined ? renameReferences(inner, rename) : rename(own)]
  }))
}
