import { collectorWith } from '@tripline/state/test/state-samples'
import { entryText } from '@tripline/contract/console/enrichment/enrichment'
import { errorBodySchema, errorStatus } from '@tripline/contract/errors'
import { beforeAll, describe, expect, test } from 'vitest'
import { consoleInfo } from '../src/http/api-docs.ts'
import { docsStyle } from '../src/http/docs-page.ts'
import { createOpenApi, toOperationId } from '../src/http/openapi.ts'
import { noExamples } from '../src/http/openapi/example-types.ts'
import { apiExamples } from '../src/http/openapi/examples.ts'
import type { Route } from '../src/http/route.ts'
import { DocumentedApi } from './contract/documented.ts'
import type { ReceivedResponse } from './contract/documented.ts'
import { openSampleWorld } from './contract/sample-world.ts'
import type { SampleWorld } from './contract/sample-world.ts'
import { hashToken } from '../src/access/keys/connector-token.ts'
import { makeSample, sampleRuleId, samples } from './contract/samples.ts'
import type { Call, TestServer } from './open-test-server.ts'

const json = { 'content-type': 'application/json' }
const rate = { 'x-ratelimit-limit': '600', 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': '1' }
const headers = { ...json, ...rate, 'x-request-id': 'req_1', traceparent: '00-1-1-00' }

let world: SampleWorld
let server: TestServer
let routes: readonly Route[]
beforeAll(async () => {
  world = await openSampleWorld()
  server = world.server
  routes = server.routes
})

/** The values of a key, wherever it stands. */
function valuesOf(key: string, value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => (name === key ? [inner] : valuesOf(key, inner)))
}

test('every route responds as documented, and nothing to another tenant', async () => {
  const api = new DocumentedApi(routes)
  for (const route of routes) {
    const { method, path, responses } = route
    const name = `${method} ${path}`
    const { path: sample = path, roles, status, ...asked } = await makeSample(world, route)
    const call = { ...asked, ...(roles && { token: await server.tokenOf(roles) }) }
    if (path.includes(':') || method !== 'GET') expect(samples, 'a route that needs a row of samples').toHaveProperty([name])
    // What anyone may call has no other tenant as its caller.
    if (path.includes(':') && route.access !== 'anyone') {
      const theirs = route.access === 'collector' ? await enrolElsewhere() : await server.tokenOf(roles ?? ['admin'], 'other')
      await expectNothingForOthers(route, sample, { ...asked, token: theirs })
    }
    const answered = await server.call(method, sample, call)
    expect(answered, name).toMatchObject({ status })
    expect(api.findSchemaProblems(method, sample, answered), name).toEqual([])
    if (status < 400) expect(Object.keys(responses), name).toContain(String(status))
    // What stands by itself has a strong validator.
    const isByItself = status === 200 && /\/:id$|\/settings$/.test(path)
    if (isByItself) expect(answered, name).toMatchObject({ headers: { etag: expect.stringMatching(/^"\d+"$/) } })
  }
  expect(Object.keys(samples).filter((name) => !routes.some(({ method, path }) => `${method} ${path}` === name))).toEqual([])
})

/** The credential of a collector of another tenant. */
async function enrolElsewhere(): Promise<string> {
  await server.tokenOf(['admin'], 'other')
  await server.app.state.collectors.insert('other', collectorWith({ id: 'theirs' }), hashToken('tl_theirs'))
  return 'tl_theirs'
}

/** Another tenant has no such thing, and cannot change ours. */
async function expectNothingForOthers({ method, path, access }: Route, sample: string, theirs: Call): Promise<void> {
  // An operator of the platform is in one tenant and sees the names of all; what is new belongs to no tenant yet.
  if (access === 'administer_platform' || /\/new(?:\/|$)/.test(sample)) return
  const name = `${method} ${path} by another tenant`
  // Frameworks and controls are the same for all tenants; what is assessed and noted of them is not.
  if (method === 'GET' && path.includes('/:framework')) {
    const { status, body } = await server.call(method, sample, theirs)
    // A report needs an assessment, which the other tenant has not.
    expect([status, JSON.stringify(body).includes('"0a"')], name).toEqual([path.endsWith('/report') ? 409 : 200, false])
    return
  }
  if (path.includes('/:framework')) return
  const ourRule = async (): Promise<unknown> => (await server.call('GET', `/v1/detection/rules/${sampleRuleId}`)).body
  const before = await ourRule()
  const foreign = await server.call(method, sample, theirs)
  // Rules that come with the server are there for every tenant, each with changes of its own.
  if (path.startsWith('/v1/detection/rules/')) return expect(await ourRule(), name).toEqual(before)
  expect(foreign, name).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } })
}

type DocumentedResponse = {
  readonly $ref?: string
  readonly content?: { readonly [type: string]: { readonly examples?: object } }
}

type DocumentWithExamples = {
  readonly paths: { readonly [path: string]: { readonly [method: string]: { readonly responses: { readonly [status: string]: DocumentedResponse } } } }
  readonly components: { readonly responses: { readonly [name: string]: DocumentedResponse } }
}

describe('the OpenAPI document', () => {
  test('has every route once, with a unique operation id', async () => {
    const { body } = await server.call('GET', '/v1/openapi.json', { token: null })
    const named = valuesOf('operationId', body)
    expect(named).toEqual(expect.arrayContaining(routes.map(toOperationId)))
    expect(named).toHaveLength(routes.length)
    expect(new Set(named).size).toBe(routes.length)
  })

  test('has an executed example of each operation and error, of the documented shape', () => {
    const api = new DocumentedApi(routes)
    for (const route of routes) {
      const name = `${route.method} ${route.path}`
      const example = apiExamples.operations[toOperationId(route)]
      expect(example, name).toBeDefined()
      const { path = '', status = 0, response } = example ?? {}
      // Pages, and this document, would be shown within it.
      if (response === undefined) expect([101, 204, 302, 303, 200].includes(status), name).toBe(true)
      else expect(api.findSchemaProblems(route.method, path, { status, headers: json, body: response }), name).toEqual([])
    }
    for (const [code, { response }] of Object.entries(apiExamples.errors)) {
      expect(errorBodySchema.parse(response).error.code).toBe(code)
    }
    expect(Object.keys(errorStatus).filter((code) => !Object.hasOwn(apiExamples.errors, code))).toEqual([])
  })

  test('shows an executed answer of each type that is no page or file, and of each error', () => {
    const { paths, components }: DocumentWithExamples = JSON.parse(JSON.stringify(createOpenApi(routes, consoleInfo, apiExamples)))
    const missing = Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods).flatMap(([method, { responses }]) => {
      return Object.entries(responses).flatMap(([status, response]) => {
        const { content = {} } = response.$ref === undefined ? response : components.responses[response.$ref.split('/').at(-1)!]!
        const shownTypes = ['application/json', 'text/plain']
        return Object.entries(content).filter(([type, { examples }]) => shownTypes.includes(type) && examples === undefined)
          .map(([type]) => `${method} ${path} ${status} ${type}`)
      })
    }))
    // The first would be this document; the second has an identity provider as its other side, and shows its refusal.
    expect(missing).toEqual(['post /v1/settings/sso/test 200 application/json', 'get /v1/openapi.json 200 application/json'])
  })

  test.for<[title: string, answer: Partial<ReceivedResponse>, problem: RegExp]>([
    ['a status', { status: 418 }, /^the status 418 is not documented/],
    ['a code', { status: 403, body: { error: { code: 'INVALID_RULE' } } }, /^the code INVALID_RULE is not documented/],
    ['a header', { headers: { ...headers, 'x-extra': '1' } }, /^the header x-extra of 200 is not documented/],
    ['a missing header', { headers: {} }, /^the header X-Request-Id of 200 is missing/],
    ['a field', { body: { connectors: [], more: 1 } }, /more/],
    ['a type', { headers: { ...headers, 'content-type': 'text/html' } }, /^the type 'text\/html' of 200 is not documented/],
  ])('judges %s that it does not describe', ([, answer, problem]) => {
    const api = new DocumentedApi(routes)
    const good = { status: 200, headers, body: { connectors: [] } }
    const problemsOf = (received: ReceivedResponse): readonly string[] => [
      ...api.findProblems('GET', '/v1/connectors', received), ...api.findSchemaProblems('GET', '/v1/connectors', received),
    ]
    expect(problemsOf(good)).toEqual([])
    expect(problemsOf({ ...good, ...answer })[0]).toMatch(problem)
  })

  test('has no dangling references', () => {
    const document = createOpenApi(routes, consoleInfo, apiExamples)
    const references = valuesOf('$ref', document) as string[]
    expect(references.length).toBeGreaterThan(20)
    for (const reference of references) {
      const steps = reference.replace(/^#\//, '').split('/')
      const found = steps.reduce((at: unknown, step) => (at as { readonly [name: string]: unknown } | undefined)?.[step], document)
      expect(found, reference).toBeDefined()
    }
  })

  test('lists path and query parameters', () => {
    const document = createOpenApi(routes, consoleInfo, apiExamples)
    expect(document).toMatchObject({
      openapi: '3.1.0',
      paths: {
        '/v1/detection/rules/{id}': {
          get: { operationId: 'getDetectionRulesById', parameters: [{ name: 'id', in: 'path', required: true }, { name: 'If-None-Match' }] },
        },
        '/v1/detection/rules': {
          get: {
            security: [{ bearer: [] }],
            parameters: expect.arrayContaining([
              {
                name: 'level', in: 'query', required: false, style: 'form', explode: false,
                schema: { type: 'array', items: { type: 'string', enum: ['low', 'medium', 'high', 'critical'] } },
              },
              { name: 'enabled', in: 'query', required: false, schema: { type: 'boolean' } },
              ...['limit', 'page', 'size'].map((name) => {
                const schema = { type: 'integer', minimum: 1, maximum: 999_999_999 }
                return { name, in: 'query', required: false, description: expect.stringContaining('Default: '), schema }
              }),
            ]),
            responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/getDetectionRules200' } } } } },
          },
        },
      },
    })
  })
})

test('patterns are read alike by every regular expression engine', () => {
  const named = new Set(valuesOf('pattern', createOpenApi(routes, consoleInfo, noExamples)))
  const patterns = [...named].filter((pattern) => typeof pattern === 'string')
  expect(patterns.length).toBeGreaterThan(1)
  for (const pattern of patterns) {
    expect(pattern, 'Unicode classes, code points and looks around are not portable').not.toMatch(/\\[pPu]|\(\?/)
    expect([new RegExp(pattern).source, new RegExp(pattern, 'u').source]).toEqual([pattern, pattern])
  }
})

test.for<[text: string, isAllowed: boolean]>([
  ['', true], ['Jürgen 😀', true], ['a\u00a0b', true], ['a\nb', false], ['\u0000', false], ['\u001f', false], ['~', true],
  ['\u007f', false], ['\u009f', false],
])('names without control characters: %j', ([text, isAllowed]) => {
  expect(entryText.safeParse(text).success).toBe(isAllowed)
})

test('the page of the API runs no script and fetches nothing', async () => {
  const page = await server.page('/v1/docs')
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; frame-ancestors 'none'$/)
  expect(page.text).toContain('GET /v1/detection/rules/{id}')
  expect(page.text).toContain('Response 400: Bad Request: INVALID_CURSOR, INVALID_PARAMETER, INVALID_QUERY_FIELD')
  expect(page.text).toContain('Example GET /v1/alerts?limit=1&amp;sort=created_at:desc')
  expect(page.text).toMatch(/<summary><code>INVALID_RULE<\/code><span>POST/)
  expect(page.text).toContain(docsStyle)
  expect(page.text).not.toMatch(/<script|(?:src|href|action)\s*=\s*['"]?(?:https?:)?\/\/|url\(|@import/)
})
