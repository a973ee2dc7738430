import { changesSchema } from '@tripline/contract'
import { anySshLogin, encodedPowerShell } from '@tripline/detection/test/rules'
import { beforeEach, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestServer } from '../../../test/open-test-server.ts'
import { limits } from '../../limits.ts'

const ruleId = '0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001'
let server: TestServer
beforeEach(async () => {
  server = await openTestServer([encodedPowerShell])
})

async function read(query = '', token?: string) {
  const { status, body } = await server.call('GET', `/v1/changes?${query}`, token === undefined ? {} : { token })
  expect(status).toBe(200)
  return changesSchema.parse(body)
}

test('changes of rules, connectors and settings can be read by every role, newest first, without circumstances', async () => {
  server.io.nowMs += 1_000
  await server.call('PUT', `/v1/detection/rules/${ruleId}`, { body: { enabled: false } })
  server.io.nowMs += 1_000
  const { body } = await server.call('POST', '/v1/connectors', { body: { name: 'Okta', type: 'http_ndjson', config: {} } })
  const { id } = body as { id: string }
  server.io.nowMs += 1_000
  await server.call('PATCH', '/v1/settings', { body: { dedup_minutes: 5 } })
  server.io.nowMs += 1_000
  await server.call('DELETE', `/v1/connectors/${id}`)
  for (const role of ['viewer', 'auditor'] as const) {
    const { changes, truncated } = await read('', await server.tokenOf([role]))
    expect(truncated).toBe(false)
    expect(changes.map(({ kind, action, title, link }) => [kind, action, title, link])).toEqual([
      ['connector', 'connector.delete', 'Okta', null],
      ['settings', 'settings.update', 'dedup_minutes', '/settings/general'],
      ['connector', 'connector.create', 'Okta', null],
      ['rule', 'rule.update', 'Encoded PowerShell', `/rules/${ruleId}`],
      ['start', 'server.start', 'The server started', '/health'],
    ])
    expect(changes.map(({ by }) => by?.includes('@') ?? by)).toEqual([true, true, true, true, null])
  }
})

test('another tenant sees its own alone, and an operator none', async () => {
  await server.call('POST', '/v1/detection/rules', { body: { definition: anySshLogin } })
  expect((await read('', await server.tokenOf(['admin'], 'other'))).changes.map(({ kind }) => kind)).toEqual(['start'])
  expect((await server.call('GET', '/v1/changes', { token: await server.tokenOf(['operator']) })).status).toBe(403)
})

test('only the newest are listed, and it says so', async () => {
  for (let minutes = 1; minutes <= limits.changes.listedMax + 1; minutes++) {
    await server.app.state.audit.append('default', {
      at: server.io.nowMs - minutes, actor: { type: 'user', id: 'u', email: 'a@example.org' }, action: 'rule.update',
      target: { type: 'rule', id: ruleId }, outcome: 'success', diff: undefined, ip: undefined, userAgent: undefined, requestId: undefined,
    })
  }
  const { changes, truncated } = await read('to=2026-11-20T10:00:00Z')
  expect([changes.length, truncated]).toEqual([limits.changes.listedMax, true])
})

test.for<[title: string, query: string]>([
  ['a range that ends before it begins', 'from=2026-11-20&to=2026-11-19'],
  ['a range of more than 90 days', 'from=2026-01-01&to=2026-11-19'],
  ['no time', 'from=yesterday'],
])('%s is refused', async ([, query]) => {
  expect(await server.call('GET', `/v1/changes?${query}`)).toMatchObject({ status: 400, body: { error: { code: 'INVALID_PARAMETER' } } })
})
