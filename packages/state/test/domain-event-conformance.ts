import { newConnectorHealth } from '@tripline/model/connector'
import { parseDomainEventId } from '@tripline/model/delivery/domain-event'
import type { DomainEvent } from '@tripline/model/delivery/domain-event'
import { expect, test } from 'vitest'
import type { StateStore, Stores } from '../src/ports/state-store.ts'
import { connectorWith, newAlertWith, newIncidentWith, ruleWith } from './state-samples.ts'

const terms = { expectedVersion: undefined, at: 50 }
const alertData = {
  level: 'high', ruleId: 'rule1', ruleTitle: 'Whoami', host: 'web-1', user: 'alice', source: 'sysmon', tactics: ['discovery'], createdAt: 1_000,
}
const by = { ...terms, by: 'ann@example.org' }
const incidentData = {
  title: 'Whoami on web-1', level: 'high', status: 'open', previousStatus: 'open', assignee: null, alertCount: 1, version: 3,
}
const degraded = { ...newConnectorHealth, status: 'degraded', message: 'quiet' } as const

/** What the samples of tenant 'a' published. */
const sampleTypes = [
  'rule.changed', 'alert.created', 'alert.updated', 'connector.changed', ...Array.from({ length: 3 }, () => 'collector.changed'), 'alert.created',
  'incident.created', 'incident.updated',
]
const sampleCount = sampleTypes.length

/** The behaviour of every outbox; tenant 'a' has the samples. */
export function describeDomainEvents(current: () => StateStore): void {
  const read = async (after: number, limit = 100) => (await current().domainEvents.read('a', after, limit)).events
  const printEvent = ({ type, subject, at, data }: DomainEvent): unknown => [type, subject, at, data]

  test.for<[title: string, change: (stores: Stores) => Promise<unknown>, events: readonly (readonly [string, string, number, object])[]]>([
    ['an alert is created', ({ alerts }) => alerts.insert('a', [newAlertWith({ id: 'm2', dedupKey: 'other' })]),
      [['alert.created', 'm2', 1_000, alertData]]],
    ['several alerts are created', ({ alerts }) => alerts.insert('a', ['m2', 'm3'].map((id) => newAlertWith({ id, dedupKey: id }))),
      [['alert.created', 'm2', 1_000, alertData], ['alert.created', 'm3', 1_000, alertData]]],
    ['a match joins an alert', ({ alerts }) => alerts.insert('a', [newAlertWith({ id: 'm2' })]), []],
    ['a match is stored already', ({ alerts }) => alerts.insert('a', [newAlertWith({})]), []],
    ['an alert is updated', ({ alerts }) => alerts.update('a', 'm1', { status: 'resolved', assignee: 'ann@example.org' }, terms),
      [['alert.updated', 'm1', 50, {
        version: 3, status: 'resolved', verdict: 'true_positive', assignee: 'ann@example.org', previousStatus: 'open', eventCount: 1,
      }]]],
    ['a user updates an alert', ({ alerts }) => alerts.update('a', 'm1', { verdict: 'benign', by: 'ann@example.org' }, terms),
      [['alert.updated', 'm1', 50, {
        version: 3, status: 'open', verdict: 'benign', assignee: null, previousStatus: 'open', by: 'ann@example.org', eventCount: 1,
      }]]],
    ['an update of an alert changes nothing', ({ alerts }) => alerts.update('a', 'm1', { status: 'open' }, terms), []],
    ['an update of an alert is stale', ({ alerts }) => alerts.update('a', 'm1', { status: 'resolved' }, { ...terms, expectedVersion: 1 }), []],
    ['an incident is opened', ({ incidents }) => incidents.insert('a', newIncidentWith({ id: 'in2' }), [], by),
      [['incident.created', 'in2', 50, { title: 'Whoami on web-1', level: 'medium', status: 'open', alertCount: 0 }]]],
    ['the status of an incident changes', ({ incidents }) => incidents.update('a', 'in1', { status: 'contained' }, by),
      [['incident.updated', 'in1', 1_002, { ...incidentData, status: 'contained' }]]],
    ['an update of an incident changes nothing', ({ incidents }) => incidents.update('a', 'in1', { status: 'open' }, by), []],
    ['an update of an incident is stale', ({ incidents }) => incidents.update('a', 'in1', { title: 'X' }, { ...by, expectedVersion: 1 }), []],
    ['an alert leaves an incident', ({ incidents }) => incidents.removeAlerts('a', 'in1', ['m8'], by),
      [['incident.updated', 'in1', 1_002, { ...incidentData, alertCount: 0 }]]],
    ['an alert is split off an incident', async (stores) => {
      const alerts = [await stores.alerts.get('a', 'm8')].filter((alert) => alert !== undefined)
      await stores.incidents.split('a', newIncidentWith({ id: 'in2' }), { from: 'in1', alerts }, by)
    }, [
      ['incident.created', 'in2', 50, { title: 'Whoami on web-1', level: 'high', status: 'open', alertCount: 1 }],
      ['incident.updated', 'in1', 1_002, { ...incidentData, alertCount: 0 }],
    ]],
    ['a connector is created', ({ connectors }) => connectors.insert('a', connectorWith({ id: 'p2', name: 'Other', createdAt: 9 }), undefined),
      [['connector.changed', 'p2', 9, { change: 'created' }]]],
    ['a name of a connector is taken', ({ connectors }) => connectors.insert('a', connectorWith({ id: 'p2' }), undefined), []],
    ['a connector is updated', ({ connectors }) => connectors.update('a', 'p1', { name: 'Other' }, terms),
      [['connector.changed', 'p1', 50, { change: 'updated' }]]],
    ['the status of a connector changes', ({ connectors }) => connectors.setHealth('a', 'p1', degraded, 50),
      [['connector.changed', 'p1', 50, { change: 'status', oldStatus: 'pending', newStatus: 'degraded', message: 'quiet' }]]],
    ['a check of a connector changes no status', ({ connectors }) => connectors.setHealth('a', 'p1', newConnectorHealth, 50), []],
    ['a collector goes offline', ({ collectors }) => collectors.markOffline('a', 'co7', 90), [['collector.changed', 'co7', 90, {
      change: 'status', name: 'fra-1', hostname: 'fra-1', oldStatus: 'online', newStatus: 'offline', lastSeenAt: 8,
    }]]],
    ['a collector is retired', ({ collectors }) => collectors.retire('a', 'co7', terms), [['collector.changed', 'co7', 50, { change: 'retired' }]]],
    ['a connector is removed', ({ connectors }) => connectors.remove('a', 'p1', 50), [['connector.changed', 'p1', 50, { change: 'removed' }]]],
    ['rules are saved', ({ rules }) => rules.put('a', [ruleWith({ version: 2, updatedAt: 8 }), ruleWith({ id: 'rule2', isEnabled: false })]), [
      ['rule.changed', 'rule1', 8, { change: 'saved', version: 2, isEnabled: true }],
      ['rule.changed', 'rule2', 1, { change: 'saved', version: 1, isEnabled: false }],
    ]],
    ['a user switches a rule off', ({ rules }) => rules.put('a', [ruleWith({ version: 2, updatedAt: 8, isEnabled: false })], { by: 'Ann', wasEnabled: true }),
      [['rule.changed', 'rule1', 8, { change: 'saved', version: 2, isEnabled: false, title: 'Whoami', by: 'Ann', wasEnabled: true }]]],
    ['some rules are new', ({ rules }) => rules.insert('a', [ruleWith({}), ruleWith({ id: 'rule2' })]),
      [['rule.changed', 'rule2', 1, { change: 'saved', version: 1, isEnabled: true }]]],
    ['a rule is updated', ({ rules }) => rules.update('a', 'rule1', { isEnabled: false }, terms),
      [['rule.changed', 'rule1', 50, { change: 'saved', version: 2, isEnabled: false }]]],
    ['a rule is removed', ({ rules }) => rules.remove('a', 'rule1', 50), [['rule.changed', 'rule1', 50, { change: 'removed' }]]],
    ['a rule to remove is missing', ({ rules }) => rules.remove('a', 'rule9', 50), []],
  ])('%s: what is published, alone and in a transaction', async ([, change, events]) => {
    await current().transaction(change)
    expect((await read(sampleTypes.length)).map(printEvent)).toEqual(events)
  })

  test('events are numbered, and each has an id of its own', async () => {
    const events = await read(0)
    expect(events.map(({ type, seq }) => [seq, type])).toEqual(sampleTypes.map((type, i) => [i + 1, type]))
    expect(events.map(({ id }) => parseDomainEventId(id)?.seq)).toEqual(events.map(({ seq }) => seq))
    expect(new Set(events.map(({ id }) => parseDomainEventId(id)?.hash)).size).toBe(sampleCount)
    expect(await current().domainEvents.read('a', 1, 2)).toEqual({ events: events.slice(1, 3), readTo: 3 })
    expect(await current().domainEvents.read('a', sampleCount, 2)).toEqual({ events: [], readTo: sampleCount })
  })

  test('a transaction that fails publishes nothing', async () => {
    const failing = current().transaction(async ({ alerts }) => {
      await alerts.insert('a', [newAlertWith({ id: 'm2', dedupKey: 'other' })])
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await read(sampleCount)).toEqual([])
    expect(await current().alerts.get('a', 'm2')).toBeUndefined()
  })

  test('watchers are called once for each commit with events, and after it', async () => {
    const calls: string[] = []
    const end = current().watchDomainEvents((tenant, lastSeq) => void calls.push(`${tenant} ${lastSeq}`))
    await current().transaction(async (stores) => {
      await stores.alerts.update('a', 'm1', { status: 'resolved' }, terms)
      await stores.rules.remove('a', 'rule1', 50)
      await stores.rules.put('b', [ruleWith({})])
      await stores.users.remove('a', 'u1')
      expect(calls).toEqual([])
    })
    expect(calls).toEqual([`a ${sampleCount + 2}`, 'b 1'])
    await current().connectors.remove('a', 'p1', 50)
    await current().connectors.remove('a', 'p1', 50)
    end()
    await current().rules.remove('b', 'rule1', 50)
    expect(calls).toEqual([`a ${sampleCount + 2}`, 'b 1', `a ${sampleCount + 3}`])
    expect(await current().domainEvents.heads()).toEqual(new Map([['a', sampleCount + 3], ['b', 2]]))
  })

  test('positions are kept for each consumer and tenant', async () => {
    const { domainEvents } = current()
    await domainEvents.savePosition('a', 'push', 3)
    await domainEvents.savePosition('b', 'push', 1)
    await domainEvents.savePosition('a', 'push', 4)
    await domainEvents.savePosition('a', 'webhooks', 2)
    expect(await domainEvents.positions('push')).toEqual(new Map([['a', 4], ['b', 1]]))
    expect(await domainEvents.positions('webhooks')).toEqual(new Map([['a', 2]]))
    expect(await domainEvents.positions('other')).toEqual(new Map())
  })

  test('the oldest events are removed, and the numbers go on', async () => {
    const { domainEvents } = current()
    const rest = sampleTypes.map((_, i) => i + 1).slice(3)
    expect(await domainEvents.trim('a', 3, 2)).toBe(2)
    expect(await domainEvents.trim('a', 3, 2)).toBe(1)
    expect(await domainEvents.trim('a', 3, 2)).toBe(0)
    expect((await read(0)).map(({ seq }) => seq)).toEqual(rest)
    // A consumer that reads on from a number sees what is missing.
    expect(await domainEvents.read('a', 1, 100)).toMatchObject({ readTo: sampleCount, events: rest.map((seq) => ({ seq })) })
    await current().rules.remove('a', 'rule1', 50)
    expect((await read(sampleCount)).map(({ seq }) => seq)).toEqual([sampleCount + 1])
  })

  test('the numbers go on after all events were removed that a consumer has handled', async () => {
    const { domainEvents } = current()
    await domainEvents.savePosition('a', 'push', sampleCount)
    expect(await domainEvents.trim('a', sampleCount, 100)).toBe(sampleCount)
    expect(await domainEvents.read('a', 2, 100)).toEqual({ events: [], readTo: sampleCount })
    await current().rules.remove('a', 'rule1', 50)
    expect((await read(0)).map(({ seq }) => seq)).toEqual([sampleCount + 1])
  })

  test('old events are removed, but never the last', async () => {
    const { domainEvents } = current()
    expect(await domainEvents.removeOld('a', 1_000)).toBe(5)
    expect((await read(0)).map(({ seq }) => seq)).toEqual([2, 3, 8, 9, 10])
    expect(await domainEvents.removeOld('a', 1e13)).toBe(4)
    expect((await read(0)).map(({ seq }) => seq)).toEqual([sampleCount])
  })

  test('alerts of a release without an outbox are announced', async () => {
    expect(await current().domainEvents.announceAlerts('a', ['m9', 'm1'])).toBe(1)
    expect((await read(sampleCount)).map(printEvent)).toEqual([['alert.created', 'm1', 1_000, alertData]])
  })
}
