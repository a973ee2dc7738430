import { beforeAll, describe, expect, test } from 'vitest'
import { consoleInfo } from '../src/api/console/documents.ts'
import { docsStyle } from '../src/api/docs-page.ts'
import { allRoutes } from '../src/api/http.ts'
import { openApiOf, operationIdOf } from '../src/api/openapi.ts'
import type { Route } from '../src/api/route.ts'
import { onlyTenant } from '../src/domain/tenant.ts'
import { openTestServer } from './open-test-server.ts'
import type { Call, TestServer } from './open-test-server.ts'
import { encoded, encodedPowerShell } from './rules.ts'
import { statedAsset, statedIndicator, statedPerson } from './state/state-samples.ts'

const ruleId = '0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001'

/** How a route is called so that it answers as its row says; a GET without a name in its path needs no row here. */
const samples: { readonly [route: string]: Call & { readonly path?: string; readonly status: number } } = {
  'POST /ingest/v1/events': { body: [encoded], status: 202 },
  'POST /v1/auth/login': { body: { email: 'admin-0@example.org', password: 'none' }, status: 401 },
  'POST /v1/auth/refresh': { status: 401 },
  'POST /v1/auth/logout': { status: 204 },
  ...Object.fromEntries(['assets', 'identities', 'indicators'].flatMap((kind) => {
    const body = kind === 'indicators' ? { confidence: 90 } : { sources: ['test'] }
    const row = { assets: { hostname: 'web-2' }, identities: { name: 'bob' }, indicators: { type: 'ip', value: '192.0.2.8' } }[kind]
    return [
      [`POST /v1/${kind}/import`, { body: [row], status: 200 }],
      [`GET /v1/${kind}/:id`, { path: `/v1/${kind}/known-1`, status: 200 }],
      [`PUT /v1/${kind}/:id`, { path: `/v1/${kind}/known-1`, body, status: 200 }],
      [`DELETE /v1/${kind}/:id`, { path: `/v1/${kind}/known-1`, status: 204 }],
    ]
  })),
  'GET /v1/detection/rules/:id': { path: `/v1/detection/rules/${ruleId}`, status: 200 },
  'GET /v1/detection/rules/:id/matches': { path: `/v1/detection/rules/${ruleId}/matches`, status: 200 },
  'POST /v1/detection/rules/:id/test': { path: `/v1/detection/rules/${ruleId}/test`, body: { events: [encoded], explain: true }, status: 200 },
}

let server: TestServer
let routes: readonly Route[]
beforeAll(async () => {
  server = await openTestServer([encodedPowerShell])
  routes = allRoutes(server)
  const { assets, persons, indicators } = server.app.state
  await assets.upsert(onlyTenant, [statedAsset({}, 'known-1')], 1_000)
  await persons.upsert(onlyTenant, [statedPerson({}, 'known-1')], 1_000)
  await indicators.upsert(onlyTenant, [statedIndicator({}, 'known-1')], 1_000)
})

/** The values of a key, wherever it stands. */
function valuesOf(key: string, value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => (name === key ? [inner] : valuesOf(key, inner)))
}

test('every route answers as its row says', async () => {
  for (const { method, path, answers } of routes) {
    const name = `${method} ${path}`
    const { path: sample = path, status = 200, ...call } = samples[name] ?? {}
    if (path.includes(':') || method !== 'GET') expect(samples, 'a route that needs a row of samples').toHaveProperty([name])
    const answered = await server.call(method, sample, call).catch((error: unknown) => error)
    expect(answered, name).toMatchObject({ status })
    if (status < 400) expect(Object.keys(answers), name).toContain(String(status))
  }
  expect(Object.keys(samples).filter((name) => !routes.some(({ method, path }) => `${method} ${path}` === name))).toEqual([])
})

describe('the OpenAPI document', () => {
  test('has every route, once, under a name of its own', async () => {
    const { body } = await server.call('GET', '/v1/openapi.json', { token: null })
    const named = valuesOf('operationId', body)
    expect(named).toEqual(expect.arrayContaining(routes.map(operationIdOf)))
    expect(named).toHaveLength(routes.length)
    expect(new Set(named).size).toBe(routes.length)
  })

  test('refers to nothing that it does not have', () => {
    const document = openApiOf(routes, consoleInfo)
    const references = valuesOf('$ref', document) as string[]
    expect(references.length).toBeGreaterThan(20)
    for (const reference of references) {
      const steps = reference.replace(/^#\//, '').split('/')
      const found = steps.reduce((at: unknown, step) => (at as { readonly [name: string]: unknown } | undefined)?.[step], document)
      expect(found, reference).toBeDefined()
    }
  })

  test('names what stands in a path, and what may be asked', () => {
    const document = openApiOf(routes, consoleInfo)
    expect(document).toMatchObject({
      openapi: '3.1.0',
      paths: {
        '/v1/detection/rules/{id}': { get: { operationId: 'getDetectionRulesById', parameters: [{ name: 'id', in: 'path', required: true }] } },
        '/v1/detection/rules': {
          get: {
            security: [{ bearer: [] }],
            parameters: expect.arrayContaining([{ name: 'level', in: 'query', required: false, schema: { type: 'string' } }]),
            responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/getDetectionRules200' } } } } },
          },
        },
      },
    })
  })
})

test('the page of the API runs no script and fetches nothing', async () => {
  const page = await server.page('/v1/docs')
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; frame-ancestors 'none'$/)
  expect(page.text).toContain('GET /v1/detection/rules/{id}')
  expect(page.text).toContain(docsStyle)
  expect(page.text).not.toMatch(/<script|https?:\/\/(?!json-schema)/)
})
