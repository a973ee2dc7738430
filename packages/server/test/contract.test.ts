import { entryText } from '@tripline/contract/console/enrichment'
import { createEventIds } from '@tripline/formats/event/event-id'
import { memoryEvents } from '@tripline/storage/test/events/memory-events'
import { beforeAll, describe, expect, test } from 'vitest'
import { consoleInfo } from '../src/api/console/api-docs.ts'
import { docsStyle } from '../src/api/docs-page.ts'
import { createRoutes } from '../src/api/http.ts'
import { createOpenApi, toOperationId } from '../src/api/openapi.ts'
import type { Route } from '../src/api/route.ts'
import type { Role } from '../src/model/access/permission.ts'
import { onlyTenant } from '../src/model/tenant.ts'
import { openTestServer, scrapeToken } from './open-test-server.ts'
import type { Call, TestServer } from './open-test-server.ts'
import { anySshLogin, encoded, encodedPowerShell } from './rules.ts'
import {
  apiKeyWith, connectorWith, statedAsset, statedIndicator, statedPerson, userWith,
} from './state/state-samples.ts'

const ruleId = '0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001'

/** A call of a route, and how it is answered; by somebody with these roles, an admin where none are named. */
type Sample = Call & { readonly path?: string; readonly roles?: readonly Role[]; readonly status: number }

/** How a route is called so that it answers as its row says; a GET without a name in its path needs no row here. */
const samples: { readonly [route: string]: Sample } = {
  'POST /ingest/v1/events': { body: [encoded], status: 202 },
  'GET /metrics': { token: scrapeToken, status: 200 },
  'POST /v1/auth/login': { body: { email: 'admin-0@example.org', password: 'none' }, status: 401 },
  'POST /v1/auth/refresh': { status: 204 },
  'POST /v1/auth/logout': { status: 204 },
  'POST /v1/auth/password': { body: { current_password: 'none', new_password: 'another password' }, status: 401 },
  'GET /': { status: 302 },
  'DELETE /v1/auth/sessions': { roles: ['viewer'], status: 204 },
  'DELETE /v1/auth/sessions/:id': { path: '/v1/auth/sessions/none', status: 404 },
  'POST /v1/auth/totp': { status: 200 },
  'POST /v1/auth/totp/confirm': { body: { secret: 'A'.repeat(32), code: '000000', password: 'none' }, status: 401 },
  'POST /v1/auth/totp/remove': { body: { code: '000000', password: 'none' }, status: 401 },
  'POST /v1/users': { body: { email: 'new@example.org', name: 'New', roles: ['viewer'] }, status: 201 },
  'GET /v1/users/:id': { path: '/v1/users/known-1', status: 200 },
  'PATCH /v1/users/:id': { path: '/v1/users/known-1', body: { name: 'Known' }, status: 200 },
  'DELETE /v1/users/:id': { path: '/v1/users/known-2', status: 204 },
  'POST /v1/users/:id/password': { path: '/v1/users/known-1/password', status: 200 },
  'DELETE /v1/users/:id/sessions': { path: '/v1/users/known-1/sessions', status: 204 },
  'DELETE /v1/users/:id/totp': { path: '/v1/users/known-1/totp', status: 204 },
  'POST /v1/api-keys': { body: { name: 'Sender', scope: 'read-write' }, status: 201 },
  'GET /v1/api-keys/:id': { path: '/v1/api-keys/known001', status: 200 },
  'PATCH /v1/api-keys/:id': { path: '/v1/api-keys/known001', body: { name: 'Known' }, status: 200 },
  'POST /v1/api-keys/:id/rotate': { path: '/v1/api-keys/known001/rotate', body: {}, status: 201 },
  'DELETE /v1/api-keys/:id': { path: '/v1/api-keys/known002', status: 204 },
  'PATCH /v1/settings': { body: { dedup_minutes: 5 }, status: 200 },
  'POST /v1/settings/role-mapping/test': { body: { claims: { groups: ['soc'] } }, status: 200 },
  'GET /v1/tenants': { roles: ['operator'], status: 200 },
  'POST /v1/tenants': { body: { id: 'new', name: 'New' }, roles: ['operator'], status: 201 },
  'GET /v1/tenants/:id': { path: `/v1/tenants/${onlyTenant}`, roles: ['operator'], status: 200 },
  'PATCH /v1/tenants/:id': { path: `/v1/tenants/${onlyTenant}`, body: { plan: 'pro' }, roles: ['operator'], status: 200 },
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
  'GET /v1/ws/monitoring': { status: 400 },
  'POST /v1/ws/ticket': { status: 201 },
  'POST /v1/connectors': { body: { name: 'New', type: 'http_ndjson', config: {} }, status: 201 },
  'GET /v1/connectors/:id': { path: '/v1/connectors/p1', status: 200 },
  'PUT /v1/connectors/:id': { path: '/v1/connectors/p1', body: { config: { quiet_after: '60s' } }, status: 200 },
  'GET /v1/connectors/:id/health': { path: '/v1/connectors/p1/health', status: 200 },
  'POST /v1/connectors/:id/test': {
    path: '/v1/connectors/new/test', body: { type: 'http_poll', config: { url: 'https://10.0.0.1/' } }, status: 200,
  },
  'DELETE /v1/connectors/:id': { path: '/v1/connectors/p2', status: 204 },
  'GET /v1/connectors/:id/metrics': { path: '/v1/connectors/p1/metrics', status: 200 },
  'GET /v1/detection/rules/:id': { path: `/v1/detection/rules/${ruleId}`, status: 200 },
  'GET /v1/detection/rules/:id/matches': { path: `/v1/detection/rules/${ruleId}/matches`, status: 200 },
  'GET /v1/alerts/:id': { path: '/v1/alerts/none', status: 404 },
  'PUT /v1/alerts/:id': { path: '/v1/alerts/none', body: { status: 'resolved' }, status: 404 },
  'GET /v1/events/:id': { get path() { return `/v1/events/${eventId}` }, status: 200 },
  'GET /v1/events/:id/around': { get path() { return `/v1/events/${eventId}/around` }, status: 200 },
  'POST /v1/search': { body: { query: 'user:alice', fields: ['user'] }, status: 200 },
  'POST /v1/detection/rules/:id/test': { path: `/v1/detection/rules/${ruleId}/test`, body: { events: [encoded], explain: true }, status: 200 },
  'PUT /v1/detection/rules/:id': { path: `/v1/detection/rules/${ruleId}`, body: { title: 'Encoded commands' }, status: 200 },
  'POST /v1/detection/rules': { body: { definition: anySshLogin }, status: 201 },
  'DELETE /v1/detection/rules/:id': { path: '/v1/detection/rules/0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0002', status: 204 },
  'POST /v1/detection/rules/:id/exceptions': {
    path: `/v1/detection/rules/${ruleId}/exceptions`, roles: ['analyst'], status: 201,
    body: { detection: { here: { User: 'bob' }, condition: 'not here' }, reason: 'known', expires_at: '2026-11-21T10:00:00Z' },
  },
  'POST /v1/detection/rules/:id/reset': { path: `/v1/detection/rules/${ruleId}/reset`, status: 200 },
  'POST /v1/detection/rules/:id/backtest': { path: `/v1/detection/rules/${ruleId}/backtest`, body: {}, status: 200 },
}

let server: TestServer
/** The id of a stored event. */
let eventId: string
let routes: readonly Route[]
beforeAll(async () => {
  server = await openTestServer([encodedPowerShell], { events: memoryEvents() })
  routes = createRoutes(server)
  const { accounts, users, apiKeys, assets, directoryUsers, indicators } = server.app.state
  for (const id of ['known-1', 'known-2']) {
    const email = `${id}@example.org`
    await accounts.insert({ email, passwordHash: undefined, totpSecret: undefined })
    await users.insert(onlyTenant, userWith({ id, email }))
  }
  for (const publicId of ['known001', 'known002']) await apiKeys.insert(onlyTenant, apiKeyWith({ publicId }))
  for (const id of ['p1', 'p2']) {
    const connector = connectorWith({ id, name: id, type: 'syslog', config: { port: 514 }, sealedSecrets: {} })
    await server.app.state.connectors.insert(onlyTenant, connector, undefined)
  }
  await server.app.events.append(onlyTenant, [{ occurredAt: 1_000, bytes: Buffer.from('{"host":"web-1"}') }])
  eventId = createEventIds(server.app.keys.cursor, onlyTenant).print({ occurredAt: 1_000, by: 'sequence', number: 0 })
  await assets.upsert(onlyTenant, [statedAsset({}, 'known-1')], 1_000)
  await directoryUsers.upsert(onlyTenant, [statedPerson({}, 'known-1')], 1_000)
  await indicators.upsert(onlyTenant, [statedIndicator({}, 'known-1')], 1_000)
})

/** The values of a key, wherever it stands. */
function valuesOf(key: string, value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => (name === key ? [inner] : valuesOf(key, inner)))
}

test('every route responds as documented, and nothing to another tenant', async () => {
  for (const route of routes) {
    const { method, path, responses } = route
    const name = `${method} ${path}`
    const { path: sample = path, roles, status = 200, ...asked } = samples[name] ?? {}
    const call = { ...asked, ...(roles && { token: await server.tokenOf(roles) }) }
    if (path.includes(':') || method !== 'GET') expect(samples, 'a route that needs a row of samples').toHaveProperty([name])
    if (path.includes(':')) {
      await expectNothingForOthers(route, sample, { ...asked, token: await server.tokenOf(roles ?? ['admin'], 'other') })
    }
    const answered = await server.call(method, sample, call).catch((error: unknown) => error)
    expect(answered, name).toMatchObject({ status })
    if (status < 400) expect(Object.keys(responses), name).toContain(String(status))
    // What stands by itself has a strong validator.
    const isByItself = status === 200 && /\/:id$|\/settings$/.test(path)
    if (isByItself) expect(answered, name).toMatchObject({ headers: { etag: expect.stringMatching(/^"\d+"$/) } })
  }
  expect(Object.keys(samples).filter((name) => !routes.some(({ method, path }) => `${method} ${path}` === name))).toEqual([])
})

/** Another tenant has no such thing, and cannot change ours. */
async function expectNothingForOthers({ method, path, access }: Route, sample: string, theirs: Call): Promise<void> {
  // Whoever runs the platform is in one tenant and sees the names of all; what is new is nobody's yet.
  if (access === 'administer_platform' || /\/new(?:\/|$)/.test(sample)) return
  const name = `${method} ${path} by another tenant`
  const ourRule = async (): Promise<unknown> => (await server.call('GET', `/v1/detection/rules/${ruleId}`)).body
  const before = await ourRule()
  const foreign = await server.call(method, sample, theirs)
  // Rules that come with the server are there for every tenant, each with changes of its own.
  if (path.startsWith('/v1/detection/rules/')) return expect(await ourRule(), name).toEqual(before)
  expect(foreign, name).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } })
}

describe('the OpenAPI document', () => {
  test('has every route once, with a unique operation id', async () => {
    const { body } = await server.call('GET', '/v1/openapi.json', { token: null })
    const named = valuesOf('operationId', body)
    expect(named).toEqual(expect.arrayContaining(routes.map(toOperationId)))
    expect(named).toHaveLength(routes.length)
    expect(new Set(named).size).toBe(routes.length)
  })

  test('has no dangling references', () => {
    const document = createOpenApi(routes, consoleInfo)
    const references = valuesOf('$ref', document) as string[]
    expect(references.length).toBeGreaterThan(20)
    for (const reference of references) {
      const steps = reference.replace(/^#\//, '').split('/')
      const found = steps.reduce((at: unknown, step) => (at as { readonly [name: string]: unknown } | undefined)?.[step], document)
      expect(found, reference).toBeDefined()
    }
  })

  test('lists path and query parameters', () => {
    const document = createOpenApi(routes, consoleInfo)
    expect(document).toMatchObject({
      openapi: '3.1.0',
      paths: {
        '/v1/detection/rules/{id}': { get: { operationId: 'getDetectionRulesById', parameters: [{ name: 'id', in: 'path', required: true }] } },
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
                return { name, in: 'query', required: false, schema: { type: 'integer', minimum: 1, maximum: 999_999_999 } }
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
  const named = new Set(valuesOf('pattern', createOpenApi(routes, consoleInfo)))
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
  expect(page.text).toContain(docsStyle)
  expect(page.text).not.toMatch(/<script|https?:\/\/(?!json-schema)/)
})
