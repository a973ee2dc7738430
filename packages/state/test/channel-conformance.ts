import type { Notice } from '@tripline/model/delivery/channel'
import { expect, test } from 'vitest'
import type { StateStore } from '../src/ports/state-store.ts'
import { channelMessageWith, channelRouteWith, channelWith, newAlertWith, webhookEventWith } from './state-samples.ts'

/** The behaviour of every store of channels, routes and messages; tenant 'a' has the samples. */
export function describeChannels(current: () => StateStore): void {
  const messages = () => current().channelMessages
  const notice = (id: string): Notice => ({ ...webhookEventWith({ id }), type: 'alert.created' })
  const terms = { expectedVersion: undefined, at: 9 }
  const last = { at: 20, durationMs: 1, httpStatus: 500, error: 'broken', snippet: '', retryAfterMs: undefined }

  test('a channel and a route come out as they went in, and change', async () => {
    const channel = channelWith({
      id: 'ch2', name: 'Mail', language: 'ko', isEnabled: false, lastDeliveryAt: 7, secretNames: ['password'],
      settings: {
        type: 'email', host: 'mail.example', port: 587, security: 'starttls', username: 'u', from: 'a@example.org', to: ['b@example.org'],
        caCertificate: '',
      },
    })
    expect(await current().channels.insert('a', channel)).toBe('inserted')
    expect(await current().channels.insert('a', { ...channel, id: 'ch3' })).toBe('taken')
    expect(await current().channels.get('a', 'ch2')).toEqual(channel)
    expect((await current().channels.list('a')).map(({ id }) => id)).toEqual(['ch2', 'ch1'])
    expect(await current().channels.update('a', 'ch2', { name: 'SOC' }, terms)).toEqual({ outcome: 'taken' })
    expect(await current().channels.update('a', 'ch2', { name: 'Post' }, terms)).toMatchObject({ outcome: 'changed', value: { version: 2 } })
    const route = channelRouteWith({
      id: 'cr2', name: 'Night', filter: '{"field":"host","op":"eq","value":"x"}', escalation: { afterMinutes: 5, channelIds: ['ch2'] },
      quietHours: { from: 60, to: 30, days: [1, 7], exceptSeverities: ['critical'] }, throttleMinutes: 3, digestMinutes: 4,
    })
    expect(await current().channelRoutes.insert('a', route)).toBe('inserted')
    expect(await current().channelRoutes.get('a', 'cr2')).toEqual(route)
    expect(await current().channelRoutes.update('a', 'cr2', { quietHours: undefined }, terms)).toMatchObject({ value: { quietHours: undefined } })
  })

  test('a route that is enabled gets the events from then on', async () => {
    const since = async () => (await current().channelRoutes.list('a'))[0]?.sinceSeq
    const before = await since()
    await current().channelRoutes.update('a', 'cr1', { isEnabled: false }, terms)
    await current().alerts.insert('a', [newAlertWith({ id: 'new', dedupKey: 'new' })])
    expect(await since()).toBe(before)
    await current().channelRoutes.update('a', 'cr1', { isEnabled: true }, terms)
    expect(await since()).toBe((await current().domainEvents.heads()).get('a'))
  })

  test('a message collects until it is begun, then fails, and is delivered', async () => {
    const place = channelMessageWith({})
    const find = () => messages().findCollecting('a', place, { after: 0, until: 1_000 })
    expect(await find()).toBe('cm1')
    await messages().addNotice('a', 'cm1', place, notice('evt_2'))
    expect(await messages().hasNotice('a', place, 'evt_2')).toBe(true)
    expect((await messages().get('a', 'cm1'))?.notices.map(({ id }) => id)).toEqual(['evt_1', 'evt_2'])
    expect(await messages().findCollecting('a', place, { after: 1_000, until: 2_000 })).toBeUndefined()
    expect(await messages().begin('a', 'cm1')).toMatchObject({ id: 'cm1', isBegun: true, attempt: 0 })
    expect(await find()).toBeUndefined()
    expect(await messages().listWaiting()).toEqual([{ tenant: 'a', channelId: 'ch1', dueAt: 1_000 }])
    expect(await messages().settle('a', 'cm1', { status: 'pending', attempt: 1, dueAt: 2_000, last, isGone: false })).toBe(true)
    expect(await messages().listPending('a', 'ch1', 5)).toEqual([{ id: 'cm1', dueAt: 2_000 }])
    expect(await messages().begin('a', 'cm1')).toMatchObject({ attempt: 1, last })
    expect(await messages().settle('a', 'cm1', { status: 'delivered', attempt: 2, dueAt: undefined, last, isGone: false })).toBe(true)
    expect(await messages().settle('a', 'cm1', { status: 'failed', attempt: 3, dueAt: undefined, last, isGone: false })).toBe(false)
    expect(await messages().begin('a', 'cm1')).toBeUndefined()
    expect(await messages().countPending('a', 'ch1')).toBe(0)
    expect(await messages().lastScheduledAt('a', place, 999)).toBeUndefined()
    expect(await messages().lastScheduledAt('a', place, 1_000)).toBe(1_000)
  })

  test('notices beyond what a message lists are counted', async () => {
    for (let i = 2; i <= 103; i++) await messages().addNotice('a', 'cm1', channelMessageWith({}), notice(`evt_${i}`))
    expect(await messages().get('a', 'cm1')).toMatchObject({ notices: { length: 100 }, moreCount: 3 })
  })

  test('messages go with their channel, are canceled, and are removed when they are old and done', async () => {
    await messages().insert('a', channelMessageWith({ id: 'cm2', createdAt: 5 }), notice('evt_9'))
    expect(await messages().removeOld('a', { before: 5_000, limit: 10 })).toBe(0)
    expect(await messages().cancelPending('a', 'ch1')).toBe(2)
    expect(await messages().removeOld('a', { before: 6, limit: 10 })).toBe(1)
    expect(await messages().hasNotice('a', channelMessageWith({}), 'evt_9')).toBe(false)
    expect(await current().channels.remove('a', 'ch1')).toBe(true)
    expect(await messages().get('a', 'cm1')).toBeUndefined()
  })
}
