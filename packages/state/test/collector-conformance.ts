import type { CollectorHeartbeat } from '@tripline/model/collectors/collector'
import { expect, test } from 'vitest'
import type { StateStore } from '../src/ports/state-store.ts'
import { collectorReport, collectorWith } from './state-samples.ts'

const terms = { expectedVersion: undefined, at: 50 }

/** The behaviour of every store of collectors; tenant 'a' has the sample collector and a token. */
export function describeCollectors(current: () => StateStore): void {
  const collectors = () => current().collectors
  const heartbeat = (change: Partial<CollectorHeartbeat> = {}): CollectorHeartbeat =>
    ({ at: 60, hostname: 'fra-9', release: '2.0.0', os: 'Debian 13', osFamily: 'linux', status: 'online', report: collectorReport, ...change })
  /** The changes of collectors that were published, as status from and to, or what was done. */
  const published = async () => (await current().domainEvents.read('a', 0, 100)).events.flatMap(({ type, data }) =>
    type !== 'collector.changed' ? [] : [data.change === 'status' ? `${data.oldStatus} > ${data.newStatus}` : data.change])

  test('a collector comes out as it went in', async () => {
    const other = collectorWith({ id: 'co2', name: 'Other', status: 'degraded', lastSeenAt: 9, report: collectorReport })
    await collectors().insert('a', other, 'another credential')
    expect(await collectors().get('a', 'co2')).toEqual(other)
    expect((await collectors().list('a')).map(({ id }) => id)).toEqual(['co1', 'co2', 'co7', 'co8'])
    expect(await collectors().totals('a', 'co2')).toEqual({ receivedCount: 0, failedCount: 0, byteCount: 0, lastEventAt: undefined })
    await expect(collectors().insert('b', collectorWith({}), 'another credential')).rejects.toThrow('UNIQUE')
  })

  test('a credential says whose it is, until the collector is retired', async () => {
    expect(await collectors().find('hash of a credential')).toEqual({ tenant: 'a', collector: collectorWith({}) })
    expect(await collectors().find('another')).toBeUndefined()
    expect(await collectors().removeRetired('a', 'co1')).toBe(false)
    expect(await collectors().retire('a', 'co1', terms)).toMatchObject({ outcome: 'changed', value: { status: 'retired', version: 2 } })
    expect(await collectors().retire('a', 'co1', terms)).toMatchObject({ outcome: 'unchanged' })
    expect(await collectors().find('hash of a credential')).toBeUndefined()
    expect(await collectors().noteHeartbeat('a', 'co1', heartbeat())).toBe(false)
    expect(await collectors().get('a', 'co1')).toMatchObject({ status: 'retired', lastSeenAt: undefined })
    expect(await collectors().removeRetired('a', 'co1')).toBe(true)
    expect(await collectors().get('a', 'co1')).toBeUndefined()
  })

  test('a heartbeat is stored without a new version, and published where the status changes', async () => {
    await collectors().noteHeartbeat('a', 'co1', heartbeat())
    expect(await collectors().get('a', 'co1')).toEqual(collectorWith({
      hostname: 'fra-9', release: '2.0.0', os: 'Debian 13', osFamily: 'linux', status: 'online', lastSeenAt: 60, report: collectorReport,
    }))
    await collectors().noteHeartbeat('a', 'co1', heartbeat({ at: 90 }))
    await collectors().noteHeartbeat('a', 'co1', heartbeat({ at: 120, status: 'degraded' }))
    expect(await collectors().markOffline('a', 'co1', 300)).toBe(true)
    expect(await collectors().markOffline('a', 'co1', 301)).toBe(false)
    await collectors().noteHeartbeat('a', 'co1', heartbeat({ at: 400 }))
    await collectors().update('a', 'co1', { name: 'Frankfurt' }, terms)
    expect(await published()).toEqual([
      'enrolled', 'enrolled', 'enrolled', 'pending > online', 'online > degraded', 'degraded > offline', 'offline > online', 'updated',
    ])
  })

  test('one that was never heard or is retired does not go offline', async () => {
    for (const id of ['co1', 'co8']) expect(await collectors().markOffline('a', id, 300)).toBe(false)
  })

  test('a change counts its version, and the same name none', async () => {
    expect(await collectors().update('a', 'co1', { name: 'Frankfurt' }, { ...terms, expectedVersion: 1 }))
      .toEqual({ outcome: 'changed', value: collectorWith({ name: 'Frankfurt', version: 2, updatedAt: 50 }) })
    expect(await collectors().update('a', 'co1', { name: 'Frankfurt' }, terms)).toMatchObject({ outcome: 'unchanged' })
    expect(await collectors().update('a', 'co1', { name: 'X' }, { ...terms, expectedVersion: 1 })).toEqual({ outcome: 'stale', version: 2 })
  })

  test('totals add up', async () => {
    const counts = { receivedCount: 2, failedCount: 1, byteCount: 20, lastEventAt: 7 }
    await collectors().addTotals('a', 'co1', counts)
    await collectors().addTotals('a', 'co1', { ...counts, lastEventAt: undefined })
    await collectors().addTotals('b', 'co1', counts)
    expect(await collectors().totals('a', 'co1')).toEqual({ receivedCount: 4, failedCount: 2, byteCount: 40, lastEventAt: 7 })
  })

  test('a token is taken once', async () => {
    const { tenant, token } = (await collectors().takeToken('hash of a token')) ?? {}
    expect([tenant, token]).toEqual(['a', { hash: 'hash of a token', name: 'fra', createdAt: 1, expiresAt: 900 }])
    expect(await collectors().takeToken('hash of a token')).toBeUndefined()
    expect(await collectors().listTokens('a')).toEqual([])
  })

  test('old tokens go', async () => {
    expect(await collectors().removeOldTokens('a', 900)).toBe(0)
    expect(await collectors().removeOldTokens('a', 901)).toBe(1)
  })
}
