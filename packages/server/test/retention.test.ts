import { beforeEach, expect, test } from 'vitest'
import { applyRetention } from '../src/app/retention.ts'
import { onlyTenant } from '../src/domain/tenant.ts'
import { openTestServer } from './open-test-server.ts'
import type { TestServer } from './open-test-server.ts'
import { alertsOf, storedTexts } from './pipeline/world.ts'
import { anySshLogin, sshLogin } from './rules.ts'

const dayMs = 86_400_000

let server: TestServer
let kept: string[]
beforeEach(async () => {
  server = await openTestServer([anySshLogin])
  kept = []
  await server.call('POST', '/ingest/v1/events', { body: sshLogin })
})

/** What is there after so many days: events, alerts, entries of the trail, sessions. */
async function leftAfter(days: number): Promise<readonly number[]> {
  server.io.nowMs += days * dayMs
  await applyRetention(server.app, (tenant, what, error) => void kept.push(`${tenant} ${what} ${String(error)}`))
  const { state, events } = server.app
  const sessions = await Promise.all((await state.users.list(onlyTenant)).map(({ id }) => state.sessions.list(onlyTenant, id)))
  return [
    (await storedTexts(events, onlyTenant)).length, (await alertsOf(state, onlyTenant)).length,
    (await state.audit.list(onlyTenant, { limit: 9 })).length, sessions.flat().length,
  ]
}

test.for<[settings: object, days: number, left: readonly number[]]>([
  [{}, 1, [1, 1, 1, 1]],
  [{}, 8, [1, 1, 1, 0]],
  [{}, 32, [0, 1, 1, 0]],
  [{}, 401, [0, 0, 0, 0]],
  [{ retention: { events_days: 400 } }, 100, [1, 1, 1, 0]],
  [{ retention: { alerts_days: 10 } }, 11, [1, 0, 1, 0]],
  [{ retention: { audit_days: 500 } }, 401, [0, 0, 1, 0]],
])('under %j, after %i days', async ([settings, days, left]) => {
  await server.call('PATCH', '/v1/settings', { body: Object.keys(settings).length === 0 ? { dedup_minutes: 5 } : settings })
  expect(await leftAfter(days)).toEqual(left)
  expect(kept).toEqual([])
})

test('a failed removal is logged, and the rest is removed', async () => {
  const { audit } = server.app.state
  const state = { ...server.app.state, audit: { ...audit, removeOld: () => Promise.reject(new Error('it was changed')) } }
  server.io.nowMs += 401 * dayMs
  await applyRetention({ ...server.app, state }, (tenant, what, error) => void kept.push(`${tenant} ${what} ${String(error)}`))
  expect(kept).toEqual([`${onlyTenant} trail Error: it was changed`])
  expect(await alertsOf(server.app.state, onlyTenant)).toEqual([])
})

test('an aborted run removes nothing more', async () => {
  server.io.nowMs += 401 * dayMs
  await applyRetention(server.app, () => {}, AbortSignal.abort())
  expect(await alertsOf(server.app.state, onlyTenant)).toHaveLength(1)
})
