import { expect, test } from 'vitest'
import type { AttemptOutcome } from '@tripline/model/delivery/webhook-delivery'
import type { StateStore } from '../src/ports/state-store.ts'
import { newAlertWith, newDeliveryWith, webhookEventWith, webhookWith } from './state-samples.ts'

const terms = { expectedVersion: undefined, at: 50 }

/** The behaviour of every store of webhooks and deliveries; tenant 'a' has the samples. */
export function describeWebhooks(current: () => StateStore): void {
  const webhooks = () => current().webhooks
  const deliveries = () => current().webhookDeliveries
  const last = { at: 2_000, durationMs: 7, httpStatus: 503, error: 'the receiver answered 503', snippet: 'busy', retryAfterMs: undefined }
  const settle = (id: string, change: Partial<AttemptOutcome>) =>
    deliveries().settle('a', id, { status: 'delivered', attempt: 1, dueAt: undefined, last, isGone: false, ...change })
  const sinceSeq = async (id = 'w1') => (await webhooks().listSubscriptions('a')).find(({ webhook }) => webhook.id === id)?.sinceSeq
  const publish = (id: string) => current().alerts.insert('a', [newAlertWith({ id, dedupKey: id })])

  test('a webhook comes out as it went in', async () => {
    const other = webhookWith({
      id: 'w2', name: 'Other', events: ['alert.created', 'rule.disabled'], severities: ['high'], profile: 'a', status: 'disabled',
      previousSecret: { sealed: 's1.old', until: 9 }, failureCount: 2, skippedCount: 3, lastDeliveryAt: 8,
    })
    expect(await webhooks().insert('a', other)).toBe('inserted')
    expect(await webhooks().get('a', 'w2')).toEqual(other)
    expect((await webhooks().listSubscriptions('a')).map(({ webhook }) => webhook)).toEqual([webhookWith({}), other])
    expect(await webhooks().count('a')).toBe(2)
  })

  test.for<[id: string, name: string, insertion: string]>([['w2', 'SOAR', 'taken'], ['w1', 'Other', 'taken'], ['w2', 'soar', 'inserted']])(
    '%s named %s is %s', async ([id, name, insertion]) => {
      expect(await webhooks().insert('a', webhookWith({ id, name }))).toBe(insertion)
    })

  test('it gets the events from its creation on, and from each time at which it is enabled', async () => {
    const first = await sinceSeq()
    const { readTo: last } = await current().domainEvents.read('a', 0, 100)
    await publish('m2')
    await webhooks().insert('a', webhookWith({ id: 'w2', name: 'Later' }))
    expect([await sinceSeq(), await sinceSeq('w2')]).toEqual([first, last + 1])
    await webhooks().update('a', 'w1', { status: 'disabled' }, terms)
    await publish('m3')
    expect(await sinceSeq()).toBe(first)
    await webhooks().update('a', 'w1', { status: 'active' }, terms)
    expect(await sinceSeq()).toBe(last + 2)
  })

  test('a change counts its version, a delivery does not, and enabling begins without failures', async () => {
    await webhooks().setHealth('a', 'w1', { status: 'disabled_by_failures', failureCount: 5, lastDeliveryAt: 9 })
    await webhooks().addSkipped('a', 'w1', 3)
    const ended = webhookWith({ status: 'disabled_by_failures', failureCount: 5, lastDeliveryAt: 9, skippedCount: 3 })
    expect(await webhooks().get('a', 'w1')).toEqual(ended)
    expect(await webhooks().update('a', 'w1', { status: 'active', severities: ['low'] }, terms)).toEqual({
      outcome: 'changed', value: { ...ended, status: 'active', severities: ['low'], failureCount: 0, version: 2, updatedAt: 50 },
    })
    expect(await webhooks().update('a', 'w1', { status: 'active' }, terms)).toMatchObject({ outcome: 'unchanged' })
    await webhooks().insert('a', webhookWith({ id: 'w2', name: 'Other' }))
    expect(await webhooks().update('a', 'w2', { name: 'SOAR' }, terms)).toEqual({ outcome: 'taken' })
  })

  test('an event is queued once for each webhook, however often it comes, and again where a user asks', async () => {
    const again = newDeliveryWith({ id: 'd2' })
    const replay = newDeliveryWith({ id: 'd3', reason: 'replay' })
    const others = [newDeliveryWith({ id: 'd4', reason: 'replay' }), newDeliveryWith({ id: 'd5', eventId: 'evt_2' })]
    expect(await deliveries().insert('a', [webhookEventWith({ title: 'Changed' })], [again, replay])).toEqual([replay])
    expect(await deliveries().insert('a', [webhookEventWith({ id: 'evt_2' })], others)).toEqual(others)
    expect(await deliveries().get('a', 'd3')).toEqual({
      id: 'd3', webhookId: 'w1', event: webhookEventWith({}), reason: 'replay', status: 'pending', attempt: 0, dueAt: 1_000, last: undefined,
      createdAt: 1_000,
    })
    expect(await deliveries().countPending('a', 'w1')).toBe(4)
  })

  test('what is pending comes by the time at which it is due, until it is done', async () => {
    await deliveries().insert('a', [], [newDeliveryWith({ id: 'd2', reason: 'replay', dueAt: 900 }), newDeliveryWith({ id: 'd3', reason: 'replay', dueAt: 950 })])
    expect(await deliveries().listPending('a', 'w1', 2)).toEqual([{ id: 'd2', dueAt: 900 }, { id: 'd3', dueAt: 950 }])
    expect(await settle('d2', {})).toBe(true)
    expect(await settle('d2', { status: 'failed' })).toBe(false)
    expect(await settle('d3', { status: 'pending', attempt: 1, dueAt: 7_000 })).toBe(true)
    expect(await deliveries().listPending('a', 'w1', 9)).toEqual([{ id: 'd1', dueAt: 1_000 }, { id: 'd3', dueAt: 7_000 }])
    expect(await deliveries().get('a', 'd2')).toMatchObject({ status: 'delivered', attempt: 1, dueAt: undefined, last })
    expect(await deliveries().listWaiting()).toEqual([{ tenant: 'a', webhookId: 'w1', dueAt: 1_000 }])
    expect(await deliveries().cancelPending('a', 'w1')).toBe(2)
    expect(await deliveries().listWaiting()).toEqual([])
    expect(await deliveries().get('a', 'd1')).toMatchObject({ status: 'canceled', dueAt: undefined })
  })

  test('stored events are found by time and type', async () => {
    const events = [1_000, 2_000, 3_000].map((at, i) => webhookEventWith({ id: `evt_${i + 2}`, at, type: i === 1 ? 'alert.updated' : 'alert.created' }))
    await deliveries().insert('a', events, [])
    const find = async (range: object) =>
      (await deliveries().listEvents('a', { from: 0, to: 9_000, types: ['alert.created', 'alert.updated'], limit: 9, ...range })).map(({ id }) => id)
    expect(await find({})).toEqual(['evt_1', 'evt_2', 'evt_3', 'evt_4'])
    expect(await find({ from: 2_000, to: 3_000 })).toEqual(['evt_3'])
    expect(await find({ types: ['alert.created'], limit: 2 })).toEqual(['evt_1', 'evt_2'])
    expect(await find({ types: [] })).toEqual([])
  })

  test('old deliveries go when they are done, and events with the last of them', async () => {
    await deliveries().insert('a', [], [newDeliveryWith({ id: 'd2', reason: 'replay' }), newDeliveryWith({ id: 'd3', reason: 'replay', createdAt: 5_000 })])
    await settle('d1', {})
    expect(await deliveries().removeOld('a', { before: 4_000, limit: 9 })).toBe(1)
    const kept = async () => (await deliveries().list('a', { limit: 9 })).entries.map(({ id }) => id)
    expect(await kept()).toEqual(['d3', 'd2'])
    await settle('d2', {})
    await settle('d3', {})
    expect(await deliveries().removeOld('a', { before: 6_000, limit: 1 })).toBe(1)
    expect(await deliveries().removeOld('a', { before: 6_000, limit: 1 })).toBe(1)
    expect(await deliveries().listEvents('a', { from: 0, to: 9_000, types: ['alert.created'], limit: 9 })).toEqual([])
  })

  test('with a webhook its deliveries go', async () => {
    await webhooks().remove('a', 'w1')
    expect(await deliveries().get('a', 'd1')).toBeUndefined()
    expect(await deliveries().listWaiting()).toEqual([])
  })
}
