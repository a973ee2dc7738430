import { failedLogin, manyFailures } from '@tripline/detection/test/requests'
import { sshLogin } from '@tripline/detection/test/rules'
import { alertsOf } from '@tripline/detection/test/world'
import { onlyTenant } from '@tripline/model/tenant'
import { expect, test } from 'vitest'
import { openTestServer } from './open-test-server.ts'
import type { TestServer } from './open-test-server.ts'

// What events say of their time, and what the clock does, against three failures of a user within a minute.

const startedAt = Date.UTC(2026, 10, 20, 10)

const failedAt = (user: string, at: unknown): object => ({ ...sshLogin, message: 'Failed password', user, '@timestamp': at })

async function open(): Promise<TestServer & { readonly send: (...events: readonly object[]) => Promise<void> }> {
  const server = await openTestServer([failedLogin, manyFailures], { startedAt })
  return {
    ...server,
    async send(...events) {
      expect(await server.call('POST', '/ingest/v1/events', { body: events })).toMatchObject({ status: 202, body: { rejected: 0 } })
    },
  }
}

/** Users of whom there were many failures, once all windows are decided. */
async function foundUsers(server: TestServer): Promise<readonly string[]> {
  server.io.nowMs += 120_000
  await server.tick()
  const alerts = await alertsOf(server.app.state, onlyTenant)
  return alerts.flatMap(({ ruleTitle, event }) => (ruleTitle === 'Many failed logins' ? [event.user] : [])).sort()
}

const iso = (ms: number): string => new Date(startedAt + ms).toISOString()

test('events in another order give the same matches', async () => {
  const server = await open()
  await server.send(failedAt('u', iso(-1_000)), failedAt('u', iso(-4_500)), failedAt('u', iso(-3_000)))
  expect(await foundUsers(server)).toEqual(['u'])
  expect(server.app.pipeline.accounting(onlyTenant)).toMatchObject({ evaluated: 3, late: 0 })
})

test('late events are evaluated and counted but not correlated', async () => {
  const server = await open()
  await server.send(failedAt('u', iso(-40_000)), failedAt('other', iso(-1_000)))
  await server.send(failedAt('u', iso(-39_000)), failedAt('u', iso(-38_000)))
  expect(await foundUsers(server)).toEqual([])
  expect(server.app.pipeline.accounting(onlyTenant)).toMatchObject({ evaluated: 4, late: 2 })
  const rules = await alertsOf(server.app.state, onlyTenant)
  expect(rules.map(({ ruleTitle, eventCount }) => [ruleTitle, eventCount])).toEqual(
    expect.arrayContaining([['Failed login', 3], ['Failed login', 1]]),
  )
})

test.for<[title: string, at: unknown]>([
  ['a year ahead', iso(31_536_000_000)],
  ['at the end of all time', '+275760-09-13T00:00:00.000Z'],
  ['of a number beyond all time', 1e300],
  ['before all time', '-271821-04-20T00:00:00Z'],
  ['in the year 0', '0000-01-01T00:00:00Z'],
  ['of no number', 'NaN'],
  ['negative', -1],
  ['of another kind', { a: [1] }],
])('one event %s ends no window, and those of others come to a match', async ([, at]) => {
  const server = await open()
  await server.send(failedAt('u', iso(-3_000)), failedAt('u', iso(-2_000)))
  await server.send(failedAt('mad', at))
  await server.send(failedAt('u', iso(-1_000)))
  expect(await foundUsers(server)).toEqual(['u'])
  expect(server.app.pipeline.accounting(onlyTenant)).toMatchObject({ evaluated: 4, inFlight: 0 })
  const { body } = await server.call('GET', '/v1/search?q=user:u')
  expect(body).toMatchObject({ total: 3 })
})

test.for<[title: string, jumpMs: number]>([['back an hour', -3_600_000], ['on ten minutes', 600_000], ['back to 1970', -startedAt + 1]])(
  'a clock that jumps %s while events without a time come loses and doubles nothing',
  async ([, jumpMs]) => {
    const server = await open()
    const untimed = { ...sshLogin, message: 'Failed password', user: 'u' }
    await server.send(untimed)
    server.io.nowMs += jumpMs
    for (let i = 0; i < 3; i++) {
      await server.send(untimed)
      server.io.nowMs += 1_000
    }
    expect(server.app.pipeline.accounting(onlyTenant)).toMatchObject({ accepted: 4, evaluated: 4, inFlight: 0 })
    const alerts = await alertsOf(server.app.state, onlyTenant)
    const failures = alerts.filter(({ ruleTitle }) => ruleTitle === 'Failed login')
    expect(failures.reduce((sum, { eventCount }) => sum + eventCount, 0)).toBe(4)
    expect(await server.call('GET', '/v1/alerts')).toMatchObject({ status: 200 })
    expect(await server.call('GET', '/v1/pipeline/metrics')).toMatchObject({ status: 200 })
  },
)
