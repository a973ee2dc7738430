import type { Route } from './route.ts'
import type { ApiExamples } from './openapi/example-types.ts'
import { buildParameters } from './openapi/parameters.ts'
import { defineHeaders } from './openapi/response-headers.ts'
import { ResponseBuilder, defineErrorExamples } from './openapi/responses.ts'
import { SharedSchemas } from './openapi/schemas.ts'
import type { Json } from './openapi/schemas.ts'

/** Title, version and description of a document. */
export type OpenApiInfo = { readonly title: string; readonly version: string; readonly description: string }

/**
 * Generates the OpenAPI 3.1 document of routes from the schemas that validate requests and print responses, with an executed
 * example of each operation and error.
 */
export function createOpenApi(routes: readonly Route[], info: OpenApiInfo, examples: ApiExamples): Json {
  const schemas = new SharedSchemas()
  const responses = new ResponseBuilder(schemas, examples, routes.find(({ profile }) => profile !== undefined)?.profile)
  const paths: { [path: string]: { [method: string]: Json } } = {}
  for (const route of routes) {
    const path = (paths[toPathTemplate(route)] ??= {})
    path[route.method.toLowerCase()] = buildOperation(route, { schemas, responses, examples })
  }
  return {
    openapi: '3.1.0',
    info: { ...info, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: schemas.all,
      responses: responses.shared,
      headers: defineHeaders(),
      examples: defineErrorExamples(examples),
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  }
}

/** The operation id of a route, such as `getDetectionRulesById`. */
export function toOperationId(route: Pick<Route, 'method' | 'path'>): string {
  const steps = route.path.split('/').filter((step) => step !== '' && !/^v\d+$/.test(step))
  const words = steps.flatMap((step) => (step.startsWith(':') ? ['by', step.slice(1)] : step.split(/[^A-Za-z0-9]+/)))
  const named = words.filter((word) => word !== '').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return route.method.toLowerCase() + named.join('')
}

type DocumentParts = { readonly schemas: SharedSchemas; readonly responses: ResponseBuilder; readonly examples: ApiExamples }

function buildOperation(route: Route, { schemas, responses, examples }: DocumentParts): Json {
  const operationId = toOperationId(route)
  const parameters = buildParameters(route, operationId, schemas)
  const isOpen = route.access === 'anyone'
  return {
    operationId,
    summary: route.summary,
    ...(isOpen ? {} : { description: describeAccess(route.access), security: [{ bearer: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && { requestBody: buildBody(route, operationId, { schemas, examples }) }),
    responses: responses.build(route, operationId),
  }
}

function buildBody(
  { body, bodyTypes = ['application/json'], isBodyOptional }: Route, operationId: string,
  { schemas, examples }: Omit<DocumentParts, 'responses'>,
): Json {
  if (body === undefined) throw new Error(`${operationId} has no body`)
  const schema = schemas.add(`${operationId}Body`, body, 'input')
  const example = examples.operations[operationId]?.body
  const shown = example === undefined ? {} : { examples: { executed: { value: example } } }
  const content = bodyTypes.map((type) => [type, type === 'application/json' ? { schema, ...shown } : { schema: { type: 'string' } }])
  return { required: isBodyOptional !== true, content: Object.fromEntries(content) }
}

function describeAccess(access: Route['access']): string {
  if (access === 'sender') {
    return 'Requires a connector token, the credential of a collector, an API key with write access, or the permission `send_events`.'
  }
  if (access === 'collector') return 'Requires the credential of the collector.'
  if (access === 'provisioner') return 'Requires a token of SCIM.'
  if (access === 'scraper') return 'Requires the metrics token or the permission `administer_platform`.'
  return `Requires the permission \`${access}\`.`
}

/** Converts a path to OpenAPI syntax: `/v1/rules/{id}`. */
function toPathTemplate({ path }: Route): string {
  return path.replaceAll(/:(\w+)/g, '{$1}')
}
