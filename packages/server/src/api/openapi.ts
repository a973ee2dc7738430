import { isJsonObject } from '@tripline/common/json'
import { errorBodySchema, problemSchema } from '@tripline/contract/errors'
import { STATUS_CODES } from 'node:http'
import { z } from 'zod'
import type { Route } from './route.ts'

/** Title, version and description of a document. */
export type OpenApiInfo = { readonly title: string; readonly version: string; readonly description: string }

type Json = { readonly [name: string]: unknown }

/** Generates the OpenAPI 3.1 document of routes from the schemas that validate requests and print responses. */
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

/** The operation id of a route, such as `getDetectionRulesById`. */
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
    // Values of a list are separated by commas.
    const style = isJsonObject(schema) && schema['type'] === 'array' ? { style: 'form', explode: false } : {}
    return { name, in: 'query', required: Array.isArray(required) && required.includes(name), ...style, schema }
  })
}

function buildHeaderParameters({ isIdempotent }: Route): Json[] {
  return isIdempotent === true ? [{ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string' } }] : []
}

/** Converts a path to OpenAPI syntax: `/v1/rules/{id}`. */
function toPathTemplate({ path }: Route): string {
  return path.replaceAll(/:(\w+)/g, '{$1}')
}

function toJsonContent(schema: Json): Json {
  return { 'application/json': { schema } }
}

/** Collects schemas by name; nested definitions are hoisted next to their schema. */
class SharedSchemas {
  readonly all: { [name: string]: unknown } = {}

  /** Adds a schema and returns a reference to it. */
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
    // The pattern of a known format is three hundred characters of redundancy.
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern
      // Query parameters are texts that mean numbers and truth values: the document says what they mean.
      if (jsonSchema.type === 'integer' || jsonSchema.type === 'boolean') {
        delete jsonSchema.pattern
        delete jsonSchema.enum
      }
    },
  })
  return printed
}

/** Copies JSON with references into `$defs` renamed. Recursion is safe: the schemas are our own. */
function renameReferences(value: unknown, rename: (own: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renameReferences(item, rename))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => {
    const own = key === '$ref' && typeof inner === 'string' ? /^#\/\$defs\/(.+)$/.exec(inner)?.[1] : undefined
    return [key, own === undefined ? renameReferences(inner, rename) : rename(own)]
  }))
}
