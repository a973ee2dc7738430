import { anySshLogin, sshLogin } from '@tripline/detection/test/rules'
import { alertsOf, storedTexts } from '@tripline/detection/test/world'
import { onlyTenant } from '@tripline/model/tenant'
import { settingDefaults } from '@tripline/model/tenant-settings'
import { SimulatedDisk } from '@tripline/storage/test/events/simulated-disk'
import { beforeEach, describe, expect, test } from 'vitest'
import { applyRetention, openRetentionClock } from './retention.ts'
import type { RetentionDeps } from './retention.ts'
import { createRetentionLog } from './run-retention.ts'
import { createLog } from '../runtime/log.ts'
import { openTestServer } from '../../test/open-test-server.ts'
import type { TestServer } from '../../test/open-test-server.ts'

const dayMs = 86_400_000

let disk: SimulatedDisk
let server: TestServer
beforeEach(async () => {
  disk = new SimulatedDisk()
  server = await openTestServer([anySshLogin], { disk })
  await server.call('POST', '/ingest/v1/events', { body: sshLogin })
})

/** Runs retention and returns the messages that it logged. */
async function run(change: Partial<RetentionDeps> = {}, signal?: AbortSignal): Promise<readonly string[]> {
  const before = server.io.logLines.length
  const { state, events, retentionClock } = server.app
  await applyRetention({ state, events, retentionClock, settingDefaults, ...change }, createRetentionLog(createLog(server.io)), signal)
  return server.io.logLines.slice(before).map((line) => String(Object(JSON.parse(line)).message))
}

/** Lets time pass on both clocks. */
function wait(days: number): void {
  server.io.nowMs += days * dayMs
  server.io.elapsedNowMs += days * dayMs
}

/** The number of events, alerts, entries of the trail and sessions. */
async function countStored(): Promise<readonly number[]> {
  const { state, events } = server.app
  const sessions = await Promise.all((await state.users.list(onlyTenant)).map(({ id }) => state.sessions.list(onlyTenant, id)))
  return [
    (await storedTexts(events, onlyTenant)).length, (await alertsOf(state, onlyTenant)).length,
    (await state.audit.list(onlyTenant, { limit: 9 })).entries.length, sessions.flat().length,
  ]
}

const listTrash = () => disk.paths.filter((path) => path.startsWith('events/trash/') && path.endsWith('.seg'))

// Entries of the trail: the changed settings, and one for each run that removed something.
test.for<[settings: object, days: number, first: readonly number[], dayLater: readonly number[]]>([
  [{}, 1, [1, 1, 1, 1], [1, 1, 1, 1]],
  [{}, 8, [1, 1, 2, 0], [1, 1, 2, 0]],
  [{}, 32, [0, 1, 2, 0], [0, 1, 3, 0]],
  [{}, 401, [0, 1, 2, 0], [0, 0, 2, 0]],
  [{ retention: { events_days: 400 } }, 100, [1, 1, 2, 0], [1, 1, 2, 0]],
  [{ retention: { alerts_days: 10 } }, 11, [1, 1, 2, 0], [1, 0, 3, 0]],
  [{ retention: { audit_days: 500 } }, 401, [0, 1, 2, 0], [0, 0, 3, 0]],
])('under %j, after %i days and a day later', async ([settings, days, first, dayLater]) => {
  await server.call('PATCH', '/v1/settings', { body: Object.keys(settings).length === 0 ? { dedup_minutes: 5 } : settings })
  wait(days)
  await run()
  expect(await countStored()).toEqual(first)
  wait(1.01)
  await run()
  expect(await countStored()).toEqual(dayLater)
})

test('an expired indicator is removed 30 days after its end and a day after a run found it', async () => {
  const facts = { type: 'ip', source: 'feed', validFrom: 0 } as const
  const { state } = server.app
  const end = server.io.nowMs + dayMs
  await state.indicators.upsert(onlyTenant, [
    { id: 'i1', facts: { ...facts, value: '192.0.2.1', validUntil: end } }, { id: 'i2', facts: { ...facts, value: '192.0.2.2' } },
  ], 1)
  const count = async (): Promise<number> => (await state.indicators.list(onlyTenant, { limit: 9 })).entries.length
  wait(30.9)
  await run()
  wait(0.2)
  await run()
  expect(await count()).toBe(2)
  wait(1.01)
  await run()
  wait(1.01)
  await run()
  expect(await count()).toBe(1)
  const [entry] = (await state.audit.list(onlyTenant, { limit: 1 })).entries
  expect(entry).toMatchObject({ action: 'retention.apply', diff: { indicators: 1 } })
})

test('a run records in the trail what it removed', async () => {
  wait(401)
  expect(await run()).toEqual(['expired data was removed'])
  const [entry] = (await server.app.state.audit.list(onlyTenant, { limit: 1 })).entries
  expect(entry).toMatchObject({
    action: 'retention.apply', actor: { type: 'system', id: 'retention' }, diff: { event_days: 1, events: 1, sessions: 1 },
  })
})

test('removed events stay in the trash for a day, and a file that is moved back is found again', async () => {
  wait(40)
  await run()
  const [trashed = '', ...others] = listTrash()
  expect(others).toEqual([])
  wait(0.9)
  await run()
  expect(listTrash()).toEqual([trashed])
  await disk.rename(trashed, `events/events/t-${onlyTenant}/${trashed.slice(trashed.lastIndexOf('/') + 1)}`)
  const reopened = await openTestServer([], { disk: disk.afterKill() })
  expect(await storedTexts(reopened.app.events, onlyTenant)).toHaveLength(1)
})

test('the trash is deleted after a day', async () => {
  wait(40)
  await run()
  wait(1.01)
  await run()
  expect(listTrash()).toEqual([])
})

test('a longer retention that is set within a day keeps expired alerts', async () => {
  wait(399)
  await run()
  await server.call('PATCH', '/v1/settings', { token: await server.tokenOf(['admin']), body: { retention: { alerts_days: 1_000 } } })
  wait(2)
  await run()
  expect((await countStored())[1]).toBe(1)
})

describe('a clock that is not plausible', () => {
  const refusal = 'nothing is removed by age, because the clock is not plausible; correct it, or restart with --trusted-time'

  // Clocks are moved in days before each run: the wall clock, then the monotonic one.
  test.for<[name: string, steps: readonly (readonly [wall: number, monotonic: number])[], removed: boolean]>([
    ['jumps ahead while the server runs', [[410, 0]], false],
    ['jumps ahead after a run', [[1, 1], [410, 0.1]], false],
    ['jumps ahead by two days', [[29, 29], [2, 0]], false],
    ['jumps back', [[1, 1], [-10, 0.1]], false],
    ['jumps ahead and comes back', [[410, 0], [-410, 0.1]], false],
    ['runs as it should', [[40, 40]], true],
    ['is adjusted by an hour', [[40, 40 - 1 / 24]], true],
  ])('%s', async ([name, steps, removed]) => {
    let messages: readonly string[] = []
    for (const [wall, monotonic] of steps) {
      server.io.nowMs += wall * dayMs
      server.io.elapsedNowMs += monotonic * dayMs
      messages = await run()
    }
    expect([name, (await countStored()).slice(0, 2)]).toEqual([name, removed ? [0, 1] : [1, 1]])
    const isBack = name.endsWith('comes back')
    expect(messages.includes(refusal)).toBe(!removed && !isBack)
  })

  test('makes health degraded and the metric 0 until it is corrected', async () => {
    const read = async () => {
      const token = await server.tokenOf(['admin'])
      const { body } = await server.call('GET', '/v1/health', { token })
      const metrics = await server.call('GET', '/metrics', { token: 'a-secret-of-monitoring' })
      const { status, checks } = Object(body)
      return [status, checks.clock_plausible, /^tripline_clock_plausible (\d)$/m.exec(String(metrics.body))?.[1]]
    }
    server.io.nowMs += 410 * dayMs
    await run()
    expect((await read()).slice(1)).toEqual([false, '0'])
    server.io.nowMs -= 410 * dayMs
    await run()
    expect((await read()).slice(1)).toEqual([true, '1'])
  })

  // A new process: the wall clock is moved between, and the operator may state the true time, as a day from the start.
  test.for<[name: string, hasRun: boolean, days: number, trustedDay: number | undefined, removed: boolean]>([
    ['410 days ahead of the last run', true, 410, undefined, false],
    ['410 days ahead of the newest event', false, 410, undefined, false],
    ['a year behind the last run', true, -365, undefined, false],
    ['40 days after the last run, confirmed', true, 40, 40, true],
    ['40 days after the newest event, confirmed', false, 40, 39, true],
    ['410 days ahead of a time that was confirmed earlier', true, 410, 39, false],
    ['two days after the last run', true, 2, undefined, true],
  ])('of a new process: %s', async ([, hasRun, days, trustedDay, removed]) => {
    if (hasRun) await run()
    const { io } = server
    const start = io.nowMs
    io.nowMs += days * dayMs
    io.elapsedNowMs = 0
    const newClock = await openRetentionClock(io, trustedDay === undefined ? undefined : start + trustedDay * dayMs, server.app)
    // What the new process stores, dated by its clock, is no evidence for that clock.
    const token = await server.tokenOf(['admin'])
    const sent = await server.call('POST', '/ingest/v1/events', { token, body: [{ message: 'an event without a time' }] })
    expect(sent.status).toBe(202)
    const messages = await run({ retentionClock: newClock })
    expect(messages.includes(refusal)).toBe(!removed)
    expect(listTrash()).toHaveLength(removed && days > 31 ? 1 : 0)
  })
})

describe('a start before the first run', () => {
  // Each start: the days by which its clock is ahead of the first event, the time that is confirmed, whether its run removes that event.
  test.for<[name: string, starts: readonly (readonly [day: number, trustedDay: number | undefined, isGood: boolean])[]]>([
    ['with a wrong clock, again and again', [[410, undefined, false], [410, undefined, false], [411, undefined, false]]],
    ['with a time that was confirmed at the start before, which ended early', [[40, 40, true], [41, undefined, true]]],
    ['with a wrong clock after a time that was confirmed', [[40, 40, true], [410, undefined, false], [410, undefined, false]]],
  ])('%s', async ([, starts]) => {
    const { io } = server
    const start = io.nowMs
    for (const [day, trustedDay, isGood] of starts) {
      io.nowMs = start + day * dayMs
      io.elapsedNowMs = 0
      const newClock = await openRetentionClock(io, trustedDay === undefined ? undefined : start + trustedDay * dayMs, server.app)
      // The process stores something by its clock before retention runs, and ends.
      const token = await server.tokenOf(['admin'])
      const sent = await server.call('POST', '/ingest/v1/events', { token, body: [{ message: `an event without a time of day ${day}` }] })
      expect(sent.status).toBe(202)
      expect([day, newClock.check().problem === undefined]).toEqual([day, isGood])
    }
  })
})

test('data that cannot be removed is reported, and the rest is removed', async () => {
  const { audit } = server.app.state
  const state = { ...server.app.state, audit: { ...audit, removeOld: () => Promise.reject(new Error('it was changed')) } }
  wait(401)
  await run()
  wait(2)
  expect(await run({ state })).toEqual(['expired data could not be removed', 'expired data was removed'])
  expect(await alertsOf(server.app.state, onlyTenant)).toEqual([])
})

test('an aborted run removes nothing', async () => {
  wait(401)
  await run({}, AbortSignal.abort())
  expect(await countStored()).toEqual([1, 1, 0, 1])
})
