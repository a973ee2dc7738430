import type { Enrich } from '@tripline/detection/stages/create-alerts'
import { anySshLogin, encoded, encodedPowerShell, sshLogin } from '@tripline/detection/test/rules'
import { alertsOf, imbalanceOf, storedTexts } from '@tripline/detection/test/world'
import { onlyTenant } from '@tripline/model/tenant'
import { statedAsset, statedPerson } from '@tripline/state/test/state-samples'
import { SimulatedDisk } from '@tripline/storage/test/events/simulated-disk'
import { describe, expect, test } from 'vitest'
import { limits } from '../src/limits.ts'
import { openTestServer } from './open-test-server.ts'
import type { TestServer } from './open-test-server.ts'

const path = '/ingest/v1/events'

const books = ({ app }: TestServer) => app.pipeline.accounting(onlyTenant)

describe('ingested events', () => {
  test('become enriched alerts and can be searched', async () => {
    const server = await openTestServer([encodedPowerShell, anySshLogin])
    const { state, events } = server.app
    await state.assets.upsert(onlyTenant, [statedAsset({ hostname: 'web-1', criticality: 'critical' })], 1)
    await state.directoryUsers.upsert(onlyTenant, [statedPerson({ name: 'alice', department: 'finance' })], 1)
    await server.call('POST', path, { body: [encoded, sshLogin, encoded, { nothing: 'known' }] })
    const alerts = await alertsOf(state, onlyTenant)
    expect(alerts.map(({ ruleTitle, eventCount }) => `${ruleTitle} ${eventCount}`).sort()).toEqual(['Any SSH login 1', 'Encoded PowerShell 2'])
    expect(alerts.find(({ event }) => event.host === 'web-1')).toMatchObject({
      level: 'high', status: 'open', source: 'windows-process_creation', assetCriticality: 'critical',
      enrichment: { user_context: { department: 'finance' }, asset_context: { criticality: 'critical' } },
    })
    expect(await storedTexts(events, onlyTenant)).toHaveLength(4)
    expect(books(server)).toMatchObject({ accepted: 4, evaluated: 4, deduplicated: 0, inFlight: 0, quarantined: new Map() })
  })

  test.for<[settings: object, alerts: readonly string[]]>([
    [{}, ['Any SSH login 1', 'Encoded PowerShell 2']],
    [{ dedup_minutes: 0 }, ['Any SSH login 1', 'Encoded PowerShell 1', 'Encoded PowerShell 1']],
    [{ min_alert_level: 'high' }, ['Encoded PowerShell 2']],
  ])('under the settings %j are the alerts that these ask for', async ([settings, alerts]) => {
    const server = await openTestServer([encodedPowerShell, anySshLogin])
    await server.call('PATCH', '/v1/settings', { body: settings })
    await server.call('POST', path, { body: [encoded, sshLogin, encoded] })
    const made = await alertsOf(server.app.state, onlyTenant)
    expect(made.map(({ ruleTitle, eventCount }) => `${ruleTitle} ${eventCount}`).sort()).toEqual(alerts)
  })

  test('are stored on one line each', async () => {
    const server = await openTestServer([])
    await server.call('POST', path, { body: '{\r\n  "a": "b\\n"\n}' })
    expect(await storedTexts(server.app.events, onlyTenant)).toEqual(['{    "a": "b\\n" }'])
  })

  test('create alerts of their own tenant', async () => {
    const server = await openTestServer([anySshLogin])
    const token = await server.tokenOf(['admin'], 'other')
    await server.call('POST', path, { body: sshLogin, token })
    expect(await alertsOf(server.app.state, onlyTenant)).toEqual([])
    expect(await alertsOf(server.app.state, 'other')).toHaveLength(1)
    expect(books(server)).toMatchObject({ accepted: 0 })
  })
})

test('a sender is throttled, and no accepted event is lost', async () => {
  let goOn = (): void => {}
  const held = new Promise<void>((resolve) => (goOn = resolve))
  // Detection stands still meanwhile.
  const enrich: Enrich = async (_tenant, matches) => {
    await held
    return matches.map(() => ({ enrichment: {}, assetCriticality: '' }))
  }
  const sizes = { topicBytesMax: 20_000, tenantBytesMax: 10_000, takeBytesMax: 1_000 }
  const server = await openTestServer([anySshLogin], { sizes, pipeline: { enrich, checkpointMs: 0 }, isPatient: false })
  let accepted = 0
  for (;;) {
    const { status, headers, body } = await server.call('POST', path, { body: { ...sshLogin, host: `h${accepted}` } })
    if (status === 202) accepted++
    else {
      expect([status, headers['retry-after']]).toEqual([429, String(limits.pipeline.retryAfterSeconds)])
      expect(body).toMatchObject({ error: { code: 'RATE_LIMITED' } })
      break
    }
    expect(imbalanceOf(books(server))).toBe(0)
    // What follows has time to be held up.
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  expect(books(server).inFlight).toBeGreaterThan(0)
  goOn()
  await server.app.pipeline.untilIdle()
  expect(books(server)).toMatchObject({ accepted, evaluated: accepted, inFlight: 0 })
  expect((await alertsOf(server.app.state, onlyTenant)).map(({ eventCount }) => eventCount)).toEqual(Array.from({ length: accepted }, () => 1))
})

test('a failed disk is reported repeatedly, and nothing is accepted that may be lost', async () => {
  const faults = { isFailing: false }
  const disk = new SimulatedDisk({ faultAt: () => (faults.isFailing ? 'failedSync' : undefined) })
  const failures: unknown[] = []
  const pipeline = { checkpointMs: 0, onFailure: (error: unknown) => void failures.push(error) }
  const server = await openTestServer([anySshLogin], { disk, pipeline, isPatient: false })
  expect(await server.call('POST', path, { body: sshLogin })).toMatchObject({ status: 202 })
  await server.app.pipeline.untilIdle()
  faults.isFailing = true
  for (const code of ['OUTCOME_UNKNOWN', 'UNAVAILABLE', 'UNAVAILABLE']) {
    const answer = await server.call('POST', path, { body: sshLogin })
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '2' }, body: { error: { code } } })
    faults.isFailing = false
  }
  expect(failures).toHaveLength(1)
  expect(await server.call('GET', '/v1/detection/rules')).toMatchObject({ status: 200, body: { rules: [{ stats: { matches_total: 1 } }] } })
})

test('a full disk refuses events but serves reads, and accepts events again with free space', async () => {
  const faults = { isFull: false }
  const disk = new SimulatedDisk({ faultAt: () => (faults.isFull ? 'full' : undefined) })
  let refusalCount = 0
  const server = await openTestServer([anySshLogin], { disk, pipeline: { checkpointMs: 0, onDiskFull: () => void refusalCount++ } })
  const send = () => server.call('POST', path, { body: sshLogin })
  expect(await send()).toMatchObject({ status: 202 })
  faults.isFull = true
  for (const _again of [1, 2, 3]) {
    expect(await send()).toMatchObject({ status: 503, headers: { 'retry-after': '2' }, body: { error: { code: 'UNAVAILABLE' } } })
  }
  expect(refusalCount).toBe(3)
  expect(await server.call('GET', '/v1/search?q=host:db-1')).toMatchObject({ status: 200, body: { total: 1 } })
  faults.isFull = false
  expect(await send()).toMatchObject({ status: 202 })
  expect(books(server)).toMatchObject({ accepted: 2, evaluated: 2, inFlight: 0 })
  expect((await alertsOf(server.app.state, onlyTenant)).map(({ eventCount }) => eventCount)).toEqual([2])
})
