import {
  createdApiKeySchema, createdTenantSchema, createdUserSchema, oneTimePasswordSchema, secondFactorSchema, tokenSchema,
} from '@tripline/contract'
import { newConnectorSchema } from '@tripline/contract/console/sources/connector'
import { encodedPowerShell } from '@tripline/detection/test/rules'
import { memoryEvents } from '@tripline/storage/test/events/memory-events'
import { beforeAll, describe, expect, test } from 'vitest'
import { parseBase32 } from '../src/access/login/base32.ts'
import { computeTotpCode } from '../src/access/login/totp.ts'
import { openTestServer, scrapeToken } from './open-test-server.ts'
import type { TestResponse, Call, TestServer } from './open-test-server.ts'

// A user does everything that has to do with secrets, well and badly; then all that was said meanwhile is searched for them.

// The examples of the API's description have others.
const ownPassword = 'a ladder of my own'
const otherPassword = 'another ladder of mine'

let server: TestServer
/** What no one may read, by what it is. */
const secrets = new Map<string, string>()
/** Answers that promise no secret. */
const answers: TestResponse[] = []

/** Asks, and keeps the answer unless it is one that shows a secret once. */
async function ask(method: string, path: string, call: Call = {}): Promise<TestResponse> {
  const answer = await server.call(method, path, call)
  answers.push(answer)
  return answer
}

function keep(name: string, secret: string | null): string {
  if (secret === null || secret === '') throw new Error(`there is no ${name}`)
  secrets.set(name, secret)
  return secret
}

beforeAll(async () => {
  server = await openTestServer([encodedPowerShell], { events: memoryEvents() })
  const admin = keep('token of the admin', await server.tokenOf(['admin', 'operator']))
  keep('secret of monitoring', scrapeToken)
  await ask('GET', '/metrics', { token: scrapeToken })
  await changeEverything(admin)
  await misplaceEverything(admin)
  for (const { method, path } of server.routes) {
    if (method === 'GET' && !path.includes(':')) await ask('GET', path, { token: admin })
  }
  const { keys } = server.app
  const { seed } = keys.signing[0]!
  const { refresh, cursor, audit, box } = keys
  for (const [name, bytes] of Object.entries({ seed, refresh, cursor, audit, box })) {
    keep(`key of the installation, ${name}`, Buffer.from(bytes).toString('base64url'))
    keep(`key of the installation, ${name}, in hex`, Buffer.from(bytes).toString('hex'))
  }
})

/** Makes and changes users, keys, tenants, passwords and second factors. */
async function changeEverything(token: string): Promise<void> {
  const newUser = { email: 'bob@example.org', name: 'Bob', roles: ['admin'] }
  const bob = createdUserSchema.parse((await server.call('POST', '/v1/users', { token, body: newUser })).body)
  const given = keep('password that was given', bob.one_time_password)
  const credentials = { email: newUser.email, password: given, new_password: ownPassword }
  keep('own password', ownPassword)
  keep('other password', otherPassword)
  const pair = await server.call('POST', '/v1/auth/login', { token: null, body: credentials })
  const bobs = keep('token of Bob', tokenSchema.parse(pair.body).access_token)
  const cookie = keep('cookie of Bob', /tripline_refresh=([^;]+)/.exec(pair.headers['set-cookie'] ?? '')?.[1] ?? '')
  const { secret } = secondFactorSchema.parse((await server.call('POST', '/v1/auth/totp', { token: bobs })).body)
  keep('secret of a second factor', secret)
  const code = computeTotpCode(parseBase32(secret)!, Math.floor(server.io.nowMs / 30_000))
  await ask('POST', '/v1/auth/totp/confirm', { token: bobs, body: { secret, code, password: ownPassword } })
  await ask('POST', '/v1/auth/password', { token: bobs, body: { current_password: ownPassword, new_password: otherPassword } })
  await ask('POST', '/v1/auth/logout', { token: null, headers: { cookie: `tripline_refresh=${cookie}` } })
  await ask('PATCH', `/v1/users/${bob.id}`, { token, body: { name: 'Robert', roles: ['viewer'] } })
  const again = oneTimePasswordSchema.parse((await server.call('POST', `/v1/users/${bob.id}/password`, { token })).body)
  keep('password that was given again', again.one_time_password)
  const order = { name: 'Sender', scope: 'read-write' }
  const key = createdApiKeySchema.parse((await server.call('POST', '/v1/api-keys', { token, body: order })).body)
  keep('API key', key.key)
  const next = createdApiKeySchema.parse((await server.call('POST', `/v1/api-keys/${key.id}/rotate`, { token, body: {} })).body)
  keep('API key in its place', next.key)
  await ask('POST', '/ingest/v1/events', { token: next.key, body: [{ a: 1 }], address: '192.0.2.1' })
  await ask('DELETE', `/v1/api-keys/${key.id}`, { token })
  const pushed = { name: 'Pushed', type: 'http_ndjson', enabled: true, config: {} }
  const connector = newConnectorSchema.parse((await server.call('POST', '/v1/connectors', { token, body: pushed })).body)
  keep('token of a connector', connector.ingest?.token ?? null)
  const client_secret = keep('secret of a connector', 'c0nnect0r-s3cret')
  const config = { url: 'https://example.org/', client_id: 'us', client_secret }
  const polled = { name: 'Polled', type: 'http_poll', enabled: false, config: { ...config, polling_interval: '60s' } }
  expect((await ask('POST', '/v1/connectors', { token, body: polled })).status).toBe(201)
  await ask('POST', '/v1/connectors', { token, body: { ...polled, config: { ...polled.config, nonsense: 1 } } })
  const tenant = { id: 'acme', name: 'Acme', admin: { email: 'ann@acme.example', name: 'Ann' } }
  const made = createdTenantSchema.parse((await server.call('POST', '/v1/tenants', { token, body: tenant })).body)
  keep('password of an admin', made.one_time_password)
  const { state } = server.app
  const account = (await state.accounts.find(newUser.email))!
  keep('hash of a password', account.passwordHash ?? '')
  keep('hash of a key', Buffer.from((await state.apiKeys.find(next.id))!.hash).toString('hex'))
}

/** Puts every secret where none belongs: paths, queries, names and values of bodies, headers, names of users and keys. */
async function misplaceEverything(token: string): Promise<void> {
  for (const [name, secret] of [...secrets].filter(([name]) => !name.startsWith('hash'))) {
    const typed = encodeURIComponent(secret)
    await ask('GET', `/v1/detection/rules?token=${typed}&api_key=${typed}`, { token })
    await ask('GET', '/v1/auth/me', { token: null, headers: { authorization: `Basic ${secret}` } })
    await ask('GET', '/v1/auth/me', { token: null, headers: { cookie: `tripline_refresh=${secret}` } })
    const email = `${name.replaceAll(' ', '-')}@example.org`
    await ask('POST', '/v1/auth/login', { token: null, body: { email, password: secret } })
    await ask('POST', '/v1/auth/login', { token: null, body: { email: 'x@example.org', password: [secret] } })
    const json = { 'content-type': 'application/json' }
    await ask('POST', '/v1/auth/login', { token: null, body: `{"password":"${secret}"`, headers: json })
    await ask('POST', '/v1/auth/refresh', { token: null, headers: { cookie: `tripline_refresh=${secret}x` } })
    await ask('GET', '/v1/users/made-up', { token, headers: { 'user-agent': `client token=${secret}` } })
  }
}

/** Where a secret is found, with some of what stands around it. */
function placesOf(secret: string, texts: readonly string[]): string[] {
  return texts.flatMap((text) => {
    const at = text.indexOf(secret)
    return at === -1 ? [] : [text.slice(Math.max(0, at - 80), at)]
  })
}

describe('no secret is in', () => {
  test('the log', () => {
    expect(server.io.logLines.length).toBeGreaterThan(50)
    for (const [name, secret] of secrets) expect(placesOf(secret, server.io.logLines), name).toEqual([])
  })

  test('the output', () => {
    expect(server.io.printedLines).toEqual([])
  })

  test('a response that must not show it', () => {
    expect(answers.length).toBeGreaterThan(50)
    const texts = answers.map(({ headers, body }) => JSON.stringify([headers, body]))
    for (const [name, secret] of secrets) expect(placesOf(secret, texts), name).toEqual([])
  })

  test('a trail', async () => {
    const { audit, tenants } = server.app.state
    const pages = await Promise.all((await tenants.list()).map(({ id }) => audit.list(id, { limit: 1_000 })))
    const trail = pages.flatMap(({ entries }) => entries)
    expect(new Set(trail.map(({ action }) => action)).size).toBeGreaterThan(8)
    const entries = trail.map((entry) => JSON.stringify(entry))
    for (const [name, secret] of secrets) expect(placesOf(secret, entries), name).toEqual([])
  })
})

test('a planted secret is found, which proves the search', () => {
  expect(placesOf('secret', ['all is well', 'the secret'])).toEqual(['the '])
})
