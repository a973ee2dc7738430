import type { AppError } from '@tripline/contract/app-error'
import type { StateStore } from '@tripline/state/ports/state-store'
import { StoreError } from '@tripline/state/ports/store-error'
import { tenantWith } from '@tripline/state/test/state-samples'
import type { BusSizes } from '@tripline/storage/bus/bus-sizes'
import { SimulatedDisk } from '@tripline/storage/test/events/simulated-disk'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { limits } from '../src/limits.ts'
import { anySshLogin, encoded, encodedPowerShell, sshLogin, whoami } from './rules.ts'
import { crashRules } from './requests.ts'
import {
  alertsOf, imbalanceOf, openTestState, openWorld, rawEvent, rulesWith, storedTexts, untilIdle, worldNowMs,
  smallBounds,
} from './world.ts'
import type { World, WorldOptions } from './world.ts'

const rules = [encodedPowerShell, anySshLogin, whoami]
const sshLoginId = '0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0002'

let state: StateStore
let disk: SimulatedDisk
beforeEach(async () => {
  state = await openTestState()
  disk = new SimulatedDisk()
})
afterEach(() => state.close())

function open(options: Partial<WorldOptions> = {}): Promise<World> {
  return openWorld({ disk, state, rules, ...options })
}

function loginOn(host: string): object {
  return { ...sshLogin, host }
}

/** Waits until everything handled is committed, which frees space. */
async function untilCommitted(world: World): Promise<void> {
  await untilIdle(world)
  while (world.bus.stats('raw-events').backlogBytes > 0) await new Promise((resolve) => setTimeout(resolve, 1))
}

/** The alerts that were published, in order. */
async function readPublished(): Promise<readonly string[]> {
  const { events } = await state.domainEvents.read('a', 0, 1_000)
  return events.map(({ type, data }) => (type === 'alert.created' ? `${data.level} ${data.ruleTitle} ${data.host}` : type))
}

describe('an event', () => {
  test('is stored as it arrived, and creates an enriched alert', async () => {
    const world = await open({
      enrich: async (_tenant, matches) => matches.map(({ event }) => ({ enrichment: { of: event.fields['User'] }, assetCriticality: 'high' })),
    })
    const { lastOffset } = await world.pipeline.ingest('a', [rawEvent(sshLogin), rawEvent(encoded, 'e1')])
    expect(lastOffset).toBe(1)
    await untilIdle(world)
    expect(await storedTexts(world.events)).toEqual([JSON.stringify(sshLogin), JSON.stringify(encoded)])
    const [first] = (await alertsOf(state)).filter(({ ruleTitle }) => ruleTitle === 'Encoded PowerShell')
    expect(first).toMatchObject({
      level: 'high', status: 'open', eventCount: 1, createdAt: worldNowMs, source: 'windows-process_creation', enrichment: { of: 'ACME\\alice' },
      assetCriticality: 'high', attack: { tactics: ['execution'], techniques: ['T1059.001'] }, event: { host: 'web-1' },
    })
    expect((await state.alerts.evidence('a', first!.id)).map(({ event }) => event)).toEqual([JSON.stringify(encoded)])
    const totals = await world.pipeline.ruleTotals('a')
    expect(totals.getTotals(first!.ruleId)).toEqual({ evaluations: 1, matches: 1 })
    expect(totals.getLastDay(first!.ruleId, worldNowMs)).toEqual({ evaluations: 1, matches: 1 })
    expect(await state.domainEvents.heads()).toEqual(new Map([['a', 2]]))
    await world.close()
  })

  test('tells of its matches as it is evaluated, those below the level of alerts too, each with the event', async () => {
    const told: string[] = []
    const world = await open({
      onMatched: (tenant, matches) => told.push(...matches.map(({ rule, eventRef }) => `${tenant} ${rule.title} ${eventRef?.number}`)),
    })
    const { lastOffset: of } = await world.pipeline.ingest('a', [rawEvent({ ...encoded, Image: 'C:\\whoami.exe' }), rawEvent({}), rawEvent(encoded)])
    const { lastOffset: ofOther } = await world.pipeline.ingest('b', [rawEvent(encoded)])
    await untilIdle(world)
    expect(told.toSorted()).toEqual([`a Encoded PowerShell ${of}`, `a Whoami ${of - 2}`, `b Encoded PowerShell ${ofOther}`])
    expect((await alertsOf(state)).map(({ ruleTitle }) => ruleTitle)).toEqual(['Encoded PowerShell'])
    await world.close()
  })

  test('is evaluated with its connector\'s log source, unless it states its own', async () => {
    const world = await open()
    const { _logsource, ...plain } = sshLogin
    const logsource = { product: 'linux', service: 'sshd' }
    const other = { ...plain, _logsource: { product: 'linux', service: 'cron' } }
    await world.pipeline.ingest('a', [{ ...rawEvent(plain), logsource }, { ...rawEvent(other), logsource }, rawEvent(plain)])
    await untilIdle(world)
    expect((await alertsOf(state)).map(({ eventCount }) => eventCount)).toEqual([1])
    await world.close()
  })

  test('matches alike as a line, over several lines, and with its connector\'s log source', async () => {
    const world = await open()
    const { _logsource: logsource, ...plain } = { ...sshLogin, host: 'h2' }
    const lines = { bytes: Buffer.from(JSON.stringify(loginOn('h3'), undefined, 2)) }
    await world.pipeline.ingest('a', [rawEvent(loginOn('h1')), { ...rawEvent(plain), logsource }, lines, rawEvent(loginOn('h4'))])
    await untilIdle(world)
    expect((await alertsOf(state)).map(({ event }) => event.host).sort()).toEqual(['h1', 'h2', 'h3', 'h4'])
    expect((await storedTexts(world.events))[2]).toBe(lines.bytes.toString())
    await world.close()
  })

  test('is not parsed again if ingest has parsed it; if it is malformed, it is counted as that', async () => {
    const world = await open()
    const reading = { severity: 'high', occurredAt: worldNowMs - 5_000 } as const
    const broken = { bytes: Buffer.from('{"open":'), reading }
    await world.pipeline.ingest('a', [{ ...rawEvent(loginOn('h1')), reading }, broken, rawEvent(loginOn('h2'))])
    await untilIdle(world)
    const range = { tenant: 'a', from: 0, to: 8.64e15, predicate: { kind: 'constant', value: true } } as const
    const { events } = await world.events.search({ ...range, limit: 10, extent: 'page', budgetMs: 10_000 })
    expect(events.map(({ occurredAt, severity }) => [occurredAt - worldNowMs, severity])).toContainEqual([-5_000, 'high'])
    expect((await alertsOf(state)).map(({ event }) => event.host).sort()).toEqual(['h1', 'h2'])
    const { accepted, evaluated, quarantined } = world.pipeline.accounting('a')
    expect([accepted, evaluated, quarantined]).toEqual([3, 2, new Map([['not_an_event', 1]])])
    await world.close()
  })

  test('with a repeated id is not evaluated again, also after a restart; that of another tenant is', async () => {
    let world = await open()
    await world.pipeline.ingest('a', [rawEvent(loginOn('h1'), 'e1'), rawEvent(loginOn('h2'), 'e1'), rawEvent(loginOn('h3'))])
    await untilIdle(world)
    await world.close()
    world = await open()
    await world.pipeline.ingest('a', [rawEvent(loginOn('h4'), 'e1'), rawEvent(loginOn('h5'), 'x'.repeat(500))])
    await world.pipeline.ingest('b', [rawEvent(loginOn('h6'), 'e1')])
    await world.pipeline.ingest('a', [rawEvent(loginOn('h7'), 'x'.repeat(500))])
    await untilIdle(world)
    expect((await alertsOf(state)).map(({ event }) => event.host).sort()).toEqual(['h1', 'h3', 'h5'])
    expect((await alertsOf(state, 'b')).map(({ event }) => event.host)).toEqual(['h6'])
    const { accepted, evaluated, deduplicated } = world.pipeline.accounting('a')
    expect({ accepted, evaluated, deduplicated }).toEqual({ accepted: 6, evaluated: 3, deduplicated: 3 })
    expect((await storedTexts(world.events)).length).toBe(3)
    await world.close()
  })

  test('that is malformed goes to the dead letters and is counted by its reason; the others go on', async () => {
    const world = await open()
    const torn = { bytes: Buffer.from('{"a":') }
    await world.pipeline.ingest('a', [rawEvent(loginOn('h1')), torn, { bytes: Buffer.from('[1]') }, rawEvent(loginOn('h2'))])
    await untilIdle(world)
    const { quarantined, evaluated, accepted } = world.pipeline.accounting('a')
    expect([accepted, evaluated, quarantined]).toEqual([4, 2, new Map([['not_an_event', 2]])])
    expect(world.bus.stats('dead-letters').nextOffset).toBe(2)
    await world.close()
  })

  test('of an unknown tenant is rejected', async () => {
    const world = await open()
    await expect(world.pipeline.ingest('nobody', [rawEvent({})])).rejects.toThrow('this tenant does not exist')
    await world.close()
  })
})

describe('alerts', () => {
  test('matches of one rule, host and user join one, and alerts are published', async () => {
    const world = await open()
    await world.pipeline.ingest('a', [rawEvent(loginOn('h1')), rawEvent(loginOn('h1')), rawEvent(loginOn('h2'))])
    await untilIdle(world)
    expect((await alertsOf(state)).map(({ event, eventCount }) => `${event.host} ${eventCount}`).sort()).toEqual(['h1 2', 'h2 1'])
    expect(await readPublished()).toEqual(['medium Any SSH login h1', 'medium Any SSH login h2'])
    await world.close()
  })

  test.for<[dedupMinutes: number, counts: readonly number[]]>([
    [60, [3]],
    [1, [2, 1]],
    [0, [1, 1, 1]],
  ])('of one rule, host and user join one within %i minutes, as the tenant configures', async ([dedupMinutes, counts]) => {
    let nowMs = worldNowMs
    await state.tenants.update('a', { settings: { dedupMinutes } }, { expectedVersion: undefined, at: 2 })
    const world = await open({ now: () => nowMs })
    for (const afterMs of [0, 1, 120_000]) {
      nowMs = worldNowMs + afterMs
      await world.pipeline.ingest('a', [rawEvent(loginOn('h1'))])
      await untilIdle(world)
    }
    expect((await alertsOf(state)).map(({ eventCount }) => eventCount).sort((a, b) => b - a)).toEqual(counts)
    await world.close()
  })

  test.for<[setting: string | undefined, titles: readonly string[]]>([
    [undefined, ['Encoded PowerShell']],
    ['informational', ['Encoded PowerShell', 'Whoami']],
    ['critical', []],
  ])('from level %s on', async ([setting, titles]) => {
    const settings = setting === undefined ? {} : { minAlertLevel: setting }
    await state.tenants.update('a', { settings }, { expectedVersion: undefined, at: 2 })
    const world = await open()
    await world.pipeline.ingest('a', [rawEvent(encoded), rawEvent({ ...encoded, Image: 'C:\\whoami.exe' })])
    await untilIdle(world)
    expect((await alertsOf(state)).map(({ ruleTitle }) => ruleTitle).sort()).toEqual(titles)
    // Matches without alerts are counted all the same.
    const { getTotals } = await world.pipeline.ruleTotals('a')
    expect(getTotals('0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0003')).toEqual({ evaluations: 2, matches: 1 })
    await world.close()
  })

  test('of a rule above its limit are one from then on, also after a restart, and no match is lost', async () => {
    let world = await open()
    const logins = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => rawEvent(loginOn(`h${from + i}`)))
    await world.pipeline.ingest('a', logins(0, 950))
    await untilIdle(world)
    expect(world.pipeline.getStorms('a')).toEqual([])
    await world.close()
    world = await open()
    await world.pipeline.ingest('a', logins(950, 1_100))
    await world.pipeline.ingest('a', [rawEvent(encoded)])
    await untilIdle(world)
    const alerts = await alertsOf(state)
    const storms = alerts.filter(({ ruleTitle }) => ruleTitle === 'Alert storm: Any SSH login')
    expect([alerts.length, storms.map(({ eventCount }) => eventCount)]).toEqual([1_002, [100]])
    expect(world.pipeline.getStorms('a')).toEqual([{ ruleId: sshLoginId, since: worldNowMs, alertCount: 1_000 }])
    expect(world.logLines.filter((line) => line.includes('reached its alert limit')).length).toBe(1)
    await world.close()
  })

  test('are created without enrichment if it fails', async () => {
    const world = await open({ enrich: () => Promise.reject(new Error('the directory does not answer')) })
    await world.pipeline.ingest('a', [rawEvent(sshLogin)])
    await untilIdle(world)
    expect((await alertsOf(state)).map(({ enrichment }) => enrichment)).toEqual([{}])
    expect(world.logLines).toEqual([
      JSON.stringify({ level: 'warn', message: 'alerts are created without enrichment', tenant: 'a', error: 'the directory does not answer' }),
    ])
    await world.close()
  })

  test('are created except one that cannot be, whose event goes to the dead letters', async () => {
    const insert: StateStore['alerts']['insert'] = async (tenant, matches) => {
      if (matches.some(({ event }) => event.host === 'h2')) throw new Error('on purpose')
      return await state.alerts.insert(tenant, matches)
    }
    const world = await open({ state: { ...state, alerts: { ...state.alerts, insert } } })
    await world.pipeline.ingest('a', ['h1', 'h2', 'h3'].map((host) => rawEvent(loginOn(host))))
    await untilIdle(world)
    expect((await alertsOf(state)).map(({ event }) => event.host).sort()).toEqual(['h1', 'h3'])
    expect(world.bus.stats('dead-letters').nextOffset).toBe(1)
    await world.close()
  })
})

describe('what has no room', () => {
  test.for<[title: string, sizes: Partial<BusSizes>, code: string]>([
    ['for a tenant', { tenantBytesMax: 3_000 }, 'RATE_LIMITED'],
    ['for anybody', { topicBytesMax: 3_000 }, 'UNAVAILABLE'],
  ])('%s is rejected, and accepted later', async ([, sizes, code]) => {
    const world = await open({ sizes, checkpointMs: 0 })
    const many = Array.from({ length: 40 }, (_, i) => rawEvent({ i, text: 'x'.repeat(50) }))
    await expect(world.pipeline.ingest('a', many)).rejects.toMatchObject({ code, details: { retry_after_seconds: 2 } })
    expect(world.pipeline.accounting('a')).toMatchObject({ accepted: 0, inFlight: 0 })
    for (let i = 0; i < many.length; i += 5) {
      await world.pipeline.ingest('a', many.slice(i, i + 5))
      await untilCommitted(world)
    }
    expect((await storedTexts(world.events)).length).toBe(40)
    await world.close()
  })

  test('in the database stalls detection, and nothing is lost or published twice when the server ends meanwhile', async () => {
    const logins = Array.from({ length: 60 }, (_, i) => rawEvent(loginOn(`h${i}`)))
    let refusalCount = 0
    const insert: StateStore['alerts']['insert'] = async () => {
      refusalCount++
      throw new StoreError('TRANSIENT', 'database or disk is full')
    }
    let world = await open({ state: { ...state, alerts: { ...state.alerts, insert } }, bounds: smallBounds, checkpointMs: 0 })
    await world.pipeline.ingest('a', logins)
    while (refusalCount < 3) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(world.pipeline.accounting('a').evaluated).toBeLessThan(60)
    await world.close()
    expect([world.failures, await readPublished()]).toEqual([[], []])
    world = await open()
    await untilIdle(world)
    expect([...await readPublished()].sort()).toEqual(logins.map((_, i) => `medium Any SSH login h${i}`).sort())
    expect((await alertsOf(state)).map(({ eventCount }) => eventCount)).toEqual(logins.map(() => 1))
    expect(imbalanceOf(world.pipeline.accounting('a'))).toBe(0)
    await world.close()
  })

  test('in the database stalls detection, and correlates nothing twice', async () => {
    let refusals = 3
    const insert: StateStore['alerts']['insert'] = async (tenant, matches) => {
      if (refusals-- > 0) throw new StoreError('TRANSIENT', 'database or disk is full')
      return await state.alerts.insert(tenant, matches)
    }
    const world = await open({ rules: crashRules, state: { ...state, alerts: { ...state.alerts, insert } } })
    const failed = (n: number) => rawEvent({ ...sshLogin, message: 'Failed password', user: 'u', '@timestamp': worldNowMs + n })
    await world.pipeline.ingest('a', [failed(0), failed(1), rawEvent({ ...sshLogin, '@timestamp': worldNowMs + 9_000 })])
    await untilIdle(world)
    const { getTotals } = await world.pipeline.ruleTotals('a')
    expect(refusals).toBeLessThan(0)
    expect((await alertsOf(state)).map(({ ruleTitle, eventCount }) => `${ruleTitle} ${eventCount}`).sort()).toEqual([
      'Any SSH login 1', 'Failed login 2',
    ])
    expect(getTotals(sshLoginId)).toEqual({ evaluations: 3, matches: 1 })
    await world.close()
  })
})

test('windows that only silence ends, end some time after the last event, also if the server was down meanwhile', async () => {
  const failed = (n: number) => rawEvent({ ...sshLogin, message: 'Failed password', user: 'u', '@timestamp': worldNowMs + n })
  let world = await open({ rules: crashRules })
  await world.pipeline.ingest('a', [failed(0), failed(1)])
  await untilIdle(world)
  await world.pipeline.tick(worldNowMs + 29_000)
  await untilIdle(world)
  await world.close()
  // Ticks are no events in flight: they are handled once a checkpoint covers them.
  world = await open({ rules: crashRules, checkpointMs: 0 })
  const isDetected = (): boolean => {
    const { consumers, nextOffset } = world.bus.stats('normalized-events')
    return consumers.find(({ name }) => name === 'detect')?.committedOffset === nextOffset
  }
  const titles = async () => (await alertsOf(state)).map(({ ruleTitle }) => ruleTitle).sort()
  for (const [silentMs, isOver] of [[31_000, false], [44_000, false], [46_000, true]] as const) {
    await world.pipeline.tick(worldNowMs + silentMs)
    await expect.poll(isDetected).toBe(true)
    expect(await titles()).toEqual(isOver ? ['Failed login', 'Few failed logins'] : ['Failed login'])
  }
  const few = (await alertsOf(state)).find(({ ruleTitle }) => ruleTitle === 'Few failed logins')
  expect([few?.event.host, few?.event.user, few?.createdAt]).toEqual(['db-1', 'u', worldNowMs + 46_000])
  expect(few?.enrichment).toEqual({
    correlation: { condition: 'correlation: event_count 2=2 by user=u in 10s', isDegraded: false, opensIncident: false },
  })
  expect((await alertsOf(state)).find(({ ruleTitle }) => ruleTitle === 'Failed login')?.enrichment).toEqual({})
  await world.close()
})

test('each event that a correlation counted leads to its alert, also one from before a restart', async () => {
  const failed = (n: number, user = 'u') =>
    rawEvent({ ...sshLogin, message: 'Failed password', host: `h${n}`, user, '@timestamp': worldNowMs - 10_000 + n * 1_000 })
  const titlesOf = async (n: number, tenant = 'a') => {
    const ids = await state.alerts.alertsOfEvent(tenant, { occurredAt: worldNowMs - 10_000 + n * 1_000, by: 'offset', number: n })
    const alerts = await Promise.all(ids.map((id) => state.alerts.get(tenant, id)))
    return alerts.map((alert) => alert?.ruleTitle ?? '').sort()
  }
  let world = await open({ rules: crashRules })
  await world.pipeline.ingest('a', [failed(0), failed(1, 'other'), failed(2)])
  await untilIdle(world)
  await world.close()
  world = await open({ rules: crashRules })
  // The last is evaluated once later events are behind it: it waits for late ones.
  await world.pipeline.ingest('a', [failed(3), failed(10, 'other')])
  await untilIdle(world)
  expect((await alertsOf(state)).filter(({ ruleTitle }) => ruleTitle === 'Many failed logins').map(({ eventCount }) => eventCount)).toEqual([1])
  for (const n of [0, 2, 3]) expect(await titlesOf(n), `event ${n}`).toEqual(['Failed login', 'Many failed logins'])
  expect(await titlesOf(1)).toEqual(['Failed login'])
  expect(await titlesOf(0, 'b')).toEqual([])
  await world.close()
})

test('what correlations of all tenants remember is bounded, and a flood costs its own tenant alone', async () => {
  const repeated = `${anySshLogin}
name: login
---
title: Repeated login
correlation: { type: event_count, rules: [login], group-by: [user], timespan: 1h, condition: { gte: 2 } }
level: high
`
  const login = (user: string, second: number) => {
    return rawEvent({ ...sshLogin, user, '@timestamp': worldNowMs - 600_000 + second * 1_000 })
  }
  const world = await open({ rules: [repeated], stateTotalMax: 200 })
  await world.pipeline.ingest('b', [login('bob', 0)])
  await world.pipeline.ingest('a', Array.from({ length: 500 }, (_, place) => login(`user ${place}`, place / 10)))
  await untilIdle(world)
  await world.pipeline.ingest('b', [login('bob', 60), login('eve', 90)])
  await untilIdle(world)
  expect((await alertsOf(state, 'b')).map(({ ruleTitle }) => ruleTitle)).toContain('Repeated login')
  expect(world.pipeline.accounting('b').stateEvicted).toBe(0)
  expect(['a', 'b'].map((tenant) => world.pipeline.getDegradedRules(tenant).size)).toEqual([1, 0])
  expect(world.pipeline.accounting('a').stateEvicted).toBeGreaterThanOrEqual(300)
  expect(world.logLines.some((line) => line.includes('remember too much') && line.includes('"tenant":"a"'))).toBe(true)
  await world.close()
})

test('no rule of a tenant without events is degraded', async () => {
  const world = await open()
  expect(world.pipeline.getDegradedRules('c')).toEqual(new Set())
  await world.close()
})

test('time that passes is no message while events of the tenant are under way, which carry it themselves', async () => {
  let goOn = (): void => {}
  const held = new Promise<void>((resolve) => (goOn = resolve))
  const world = await open({
    rules: crashRules,
    enrich: async (_tenant, matches) => {
      await held
      return matches.map(() => ({ enrichment: {}, assetCriticality: '' }))
    },
  })
  const failed = (n: number) => rawEvent({ ...sshLogin, message: 'Failed password', user: 'u', '@timestamp': worldNowMs + n })
  const getCount = (): number => world.bus.stats('normalized-events').nextOffset
  await world.pipeline.ingest('a', [failed(0)])
  await expect.poll(getCount).toBe(1)
  await world.pipeline.tick(worldNowMs + 60_000)
  expect(getCount()).toBe(1)
  goOn()
  await untilIdle(world)
  await world.pipeline.tick(worldNowMs + 120_000)
  expect(getCount()).toBe(2)
  await world.close()
})

test('a plan that cannot be read is reported, and the events are handled once the database can be read', async () => {
  let isBroken = false
  const get = async (id: string) => {
    if (isBroken) throw new StoreError('TRANSIENT', 'the database is locked')
    return await state.tenants.get(id)
  }
  const world = await open({ state: { ...state, tenants: { ...state.tenants, get } } })
  await world.pipeline.ingest('a', [rawEvent(sshLogin)])
  isBroken = true
  const message = 'the plan of a tenant cannot be read; its share of the work stays as it was'
  const line = JSON.stringify({ level: 'warn', message, tenant: 'a', error: 'the database is locked' })
  await expect.poll(() => world.logLines).toContain(line)
  isBroken = false
  await untilIdle(world)
  expect(world.pipeline.accounting('a').evaluated).toBe(1)
  await world.close()
})

test('a tenant that is created later has its events handled', async () => {
  const world = await open()
  await state.tenants.insert(tenantWith({ id: 'c', settings: {} }))
  await world.pipeline.ingest('c', [rawEvent(sshLogin)])
  await untilIdle(world, ['c'])
  expect((await alertsOf(state, 'c')).length).toBe(1)
  await world.close()
})

test('a disk failure ends the pipeline, which reports it and accepts no more', async () => {
  let isFaulty = false
  const faulty = new SimulatedDisk({ faultAt: () => (isFaulty ? 'failedSync' : undefined) })
  const world = await open({ disk: faulty })
  await world.pipeline.ingest('a', [rawEvent(sshLogin)])
  await untilIdle(world)
  isFaulty = true
  await expect(world.pipeline.ingest('a', [rawEvent(sshLogin)])).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
  isFaulty = false
  await expect(world.pipeline.ingest('a', [rawEvent(sshLogin)])).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await world.pipeline.close()
})

test('a bus that does not belong to the state is rejected: its events would count as handled', async () => {
  const world = await open({ checkpointMs: 0 })
  await world.pipeline.ingest('a', [rawEvent(sshLogin)])
  await untilIdle(world)
  await world.close()
  await expect(open({ disk: new SimulatedDisk() })).rejects.toThrow('the state has handled 1 messages of raw-events, but the bus has only 0')
})

test('a flood of one tenant queues no more than its share, and another tenant is not refused', async () => {
  let goOn = (): void => {}
  const held = new Promise<void>((resolve) => (goOn = resolve))
  const loadRules = async () => {
    await held
    return rulesWith([])
  }
  const { queuedWorkMs, eventCostMsMin } = limits.pipeline
  const world = await openWorld({ disk, state, queuedWorkMs, loadRules, elapsedMs: () => 0 })
  const batch = Array.from({ length: 500 }, (_, i) => rawEvent({ i }))
  const send = (tenant: string): Promise<string> => {
    return world.pipeline.ingest(tenant, batch).then(() => 'accepted', (error: AppError) => error.code)
  }
  const share = queuedWorkMs / 2 / eventCostMsMin
  expect(await send('b')).toBe('accepted')
  const offered = (10 * share) / batch.length
  const answers = new Map<string, number>()
  for (let i = 0; i < offered; i++) {
    const answer = await send('a')
    answers.set(answer, (answers.get(answer) ?? 0) + 1)
  }
  expect([...answers]).toEqual([['accepted', share / batch.length], ['RATE_LIMITED', offered - share / batch.length]])
  expect(await send('b')).toBe('accepted')
  goOn()
  await untilIdle(world)
  expect(await send('a')).toBe('accepted')
  await untilIdle(world)
  expect(['a', 'b'].map((tenant) => world.pipeline.accounting(tenant).evaluated)).toEqual([share + batch.length, 2 * batch.length])
  await world.close()
})
