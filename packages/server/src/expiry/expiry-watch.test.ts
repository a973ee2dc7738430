import { onlyTenant } from '@tripline/model/tenant'
import { beforeEach, describe, expect, test } from 'vitest'
import { openTestServer, scrapeToken } from '../../test/open-test-server.ts'
import type { TestServer } from '../../test/open-test-server.ts'
import { openExternalIssuer } from '../access/tokens/external-issuer.ts'
import { ServerMonitor } from '../metrics/server/server-monitor.ts'
import type { Expiry } from '../metrics/server/expiry.ts'
import { ExpiryWatch } from './expiry-watch.ts'
import { listExpiries } from './list-expiries.ts'

const dayMs = 86_400_000
const start = Date.UTC(2026, 0, 1)
const key = (days: number, more: Partial<Expiry> = {}): Expiry => {
  return { kind: 'api_key', tenant: 'a', id: 'k', name: 'Dashboard', expiresAt: start + days * dayMs, ...more }
}

type Line = readonly [day: number, level: string, days: unknown]

/** Checks at the start of each of these days; returns what the log said on which. */
async function watchOn(days: readonly number[], list: (day: number) => readonly Expiry[]): Promise<readonly Line[]> {
  const lines: Line[] = []
  let today = 0
  const write = (level: string) => (_message: string, fields: { readonly days?: unknown } = {}) => void lines.push([today, level, fields.days])
  const watch = new ExpiryWatch({
    list: async () => list(today), monitor: new ServerMonitor(), clock: { now: () => start + today * dayMs },
    log: { info: write('info'), warn: write('warn'), error: write('error') },
  })
  for (today of days) await watch.check()
  return lines
}

const everyDay = Array.from({ length: 31 }, (_, day) => day)

test.for<[what: string, list: (day: number) => readonly Expiry[], lines: readonly Line[]]>([
  ['what ends in a year', () => [key(365)], []],
  ['a key that ends on day 20', () => [key(20)],
    [[6, 'warn', 14], [13, 'warn', 7], [17, 'warn', 3], [19, 'warn', 1], [20, 'error', 0]]],
  ['a key that had ended long before the start', () => [key(-8)], []],
  ['a certificate that had ended long before the start', () => [key(-8, { kind: 'tls_certificate' })], [[0, 'error', -8]]],
  ['a certificate that is renewed in time', (day) => [key(day < 10 ? 20 : 110, { kind: 'tls_certificate' })], [[6, 'warn', 14]]],
  ['a key that is revoked in time', (day) => (day < 10 ? [key(20)] : []), [[6, 'warn', 14]]],
  ['keys of one name in two tenants', () => [key(14), key(14, { tenant: 'b' })].map((one) => ({ ...one, expiresAt: start + 40 * dayMs })),
    [[26, 'warn', 14], [26, 'warn', 14]]],
])('%s', async ([, list, lines]) => {
  expect(await watchOn(everyDay, list)).toEqual(lines)
})

test('a clock that is set back warns again of nothing', async () => {
  expect(await watchOn([13, 6, 0, 13, 6], () => [key(20)])).toEqual([[13, 'warn', 7]])
})

test('thresholds that were passed while the server was down are one warning', async () => {
  expect(await watchOn([0, 19], () => [key(20)])).toEqual([[19, 'warn', 1]])
})

describe('a server', () => {
  let server: TestServer
  let monitor: ServerMonitor
  beforeEach(async () => {
    server = await openTestServer([])
    monitor = server.app.metrics.monitor
  })

  const createKey = async (name: string, expiresInDays: number | undefined): Promise<string> => {
    const expiry = expiresInDays === undefined ? {} : { expires_at: new Date(server.io.now() + expiresInDays * dayMs).toISOString() }
    const { body } = await server.call('POST', '/v1/api-keys', { body: { name, scope: 'read-only', ...expiry } })
    return (body as { readonly id: string }).id
  }

  test('lists API keys, certificates and issuer keys in health, and as metrics by kind', async () => {
    await createKey('In a month', 30)
    await createKey('Next week', 7)
    const revoked = await createKey('Revoked', 2)
    await server.call('DELETE', `/v1/api-keys/${revoked}`)
    const now = server.io.now()
    const issuer = openExternalIssuer({
      name: 'https://idp.example', audience: 'console', tenantClaim: 'tenant', roles: { claim: 'roles' }, tenants: 'every',
      keys: JSON.stringify({ keys: [{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', kid: 'old', exp: (now + dayMs) / 1_000 }] }),
    }, server.io)
    const tls = { cert: '', key: '', ca: undefined, expiresAt: now + 3 * dayMs }
    const list = () => listExpiries({ state: server.app.state, getTls: () => tls, issuer })
    await new ExpiryWatch({ list, monitor, clock: server.io, log: { info: () => {}, warn: () => {}, error: () => {} } }).check()

    const { body } = await server.call('GET', '/v1/health')
    expect(body).toMatchObject({
      status: 'healthy',
      checks: { expiring: [
        { kind: 'issuer_key', name: 'old of https://idp.example', expires_at: new Date(now + dayMs).toISOString() },
        { kind: 'tls_certificate', name: '--tls-cert', expires_at: new Date(now + 3 * dayMs).toISOString() },
        { kind: 'api_key', name: 'Next week', expires_at: new Date(now + 7 * dayMs).toISOString() },
      ] },
    })
    const metrics = String((await server.call('GET', '/metrics', { token: scrapeToken })).body).split('\n')
    expect(metrics.filter((line) => line.startsWith('tripline_expiry_timestamp_seconds{')).sort()).toEqual([
      `tripline_expiry_timestamp_seconds{kind="api_key",tenant="${onlyTenant}"} ${(now + 7 * dayMs) / 1_000}`,
      `tripline_expiry_timestamp_seconds{kind="issuer_key"} ${(now + dayMs) / 1_000}`,
      `tripline_expiry_timestamp_seconds{kind="tls_certificate"} ${(now + 3 * dayMs) / 1_000}`,
    ])
  })

  test("another tenant's keys are not listed", async () => {
    monitor.expiries = [key(1, { tenant: 'another', expiresAt: server.io.now() + dayMs })]
    expect((await server.call('GET', '/v1/health')).body).toMatchObject({ checks: { expiring: [] } })
  })
})
