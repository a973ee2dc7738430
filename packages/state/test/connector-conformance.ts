import { newConnectorHealth } from '@tripline/model/connector'
import type { ConnectorStatus } from '@tripline/model/connector'
import { expect, test } from 'vitest'
import type { StateStore } from '../src/ports/state-store.ts'
import { connectorWith } from './state-samples.ts'

const whatever = { expectedVersion: undefined, at: 50 }

/** The behaviour of every connector store; tenant 'a' has the sample connector. */
export function describeConnectors(current: () => StateStore): void {
  const connectors = () => current().connectors

  test('one comes out as it went in', async () => {
    const checks = [{ type: 'connectivity', status: 'pass', message: 'TLS', latencyMs: 5 }] as const
    const health = { ...newConnectorHealth, checkedAt: 7, checks }
    const push = { type: 'http_ndjson', isEnabled: false, config: { max_eps: 5 }, sealedSecrets: {} } as const
    const other = connectorWith({ ...push, id: 'p2', name: 'Other', health })
    expect(await connectors().insert('a', other, undefined)).toBe('inserted')
    expect(await connectors().get('a', 'p2')).toEqual(other)
    expect(await connectors().list('a')).toEqual([connectorWith({}), other])
    expect(await connectors().totals('a', 'p2')).toEqual({ receivedCount: 0, failedCount: 0, byteCount: 0, lastEventAt: undefined })
    expect(await connectors().cursor('a', 'p2')).toBeUndefined()
  })

  test.for<[tenant: string, id: string, name: string, tokenHash: string, insertion: string]>([
    ['a', 'p2', 'Okta', 'another hash', 'taken'],
    ['a', 'p1', 'Other', 'another hash', 'taken'],
    ['a', 'p2', 'okta', 'another hash', 'inserted'],
    ['b', 'p1', 'Okta', 'another hash', 'inserted'],
    ['b', 'p1', 'Okta', 'hash of a token', 'taken'],
  ])("in '%s', %s named %s under '%s' is %s", async ([tenant, id, name, tokenHash, insertion]) => {
    expect(await connectors().insert(tenant, connectorWith({ id, name }), tokenHash)).toBe(insertion)
  })

  test('a token says whose it is', async () => {
    expect(await connectors().find('hash of a token')).toEqual({ tenant: 'a', connector: connectorWith({}) })
    expect(await connectors().find('another hash')).toBeUndefined()
    await connectors().update('a', 'p1', { isEnabled: false }, whatever)
    expect(await connectors().find('hash of a token')).toMatchObject({ connector: { isEnabled: false } })
    await connectors().remove('a', 'p1', 50)
    expect(await connectors().find('hash of a token')).toBeUndefined()
  })

  test('a change is made under the version that was seen', async () => {
    const changed = connectorWith({ config: { url: 'https://b.example/' }, version: 2, updatedAt: 50 })
    const change = { config: { url: 'https://b.example/' } }
    expect(await connectors().update('a', 'p1', change, { expectedVersion: 1, at: 50 })).toEqual({ outcome: 'changed', value: changed })
    expect(await connectors().update('a', 'p1', change, { expectedVersion: 1, at: 60 })).toEqual({ outcome: 'stale', version: 2 })
    expect(await connectors().update('a', 'zz', change, whatever)).toEqual({ outcome: 'missing' })
    expect(await connectors().get('a', 'p1')).toEqual(changed)
  })

  test('a name of another connector is taken, its own is not', async () => {
    await connectors().insert('a', connectorWith({ id: 'p2', name: 'Other' }), undefined)
    expect(await connectors().update('a', 'p2', { name: 'Okta' }, whatever)).toEqual({ outcome: 'taken' })
    expect(await connectors().update('a', 'p2', { name: 'Other' }, whatever)).toMatchObject({ outcome: 'changed' })
  })

  test('how it is changes beside what it is, and only changes of status are remembered', async () => {
    const healthAt = (status: ConnectorStatus, at: number) => ({ ...newConnectorHealth, status, message: `at ${at}`, checkedAt: at })
    const become = (status: ConnectorStatus, at: number) => connectors().setHealth('a', 'p1', healthAt(status, at), at)
    for (const [status, at] of [['healthy', 10], ['healthy', 20], ['unhealthy', 30], ['healthy', 30]] as const) {
      expect(await become(status, at)).toBe(true)
    }
    expect(await become('healthy', 40)).toBe(true)
    expect(await connectors().get('a', 'p1')).toEqual(connectorWith({ health: healthAt('healthy', 40) }))
    expect(await connectors().history('a', 'p1', 3)).toEqual([
      { at: 30, status: 'healthy', message: 'at 30' },
      { at: 30, status: 'unhealthy', message: 'at 30' },
      { at: 10, status: 'healthy', message: 'at 10' },
    ])
    expect(await connectors().removeOldHistory('a', 30)).toBe(2)
    expect(await connectors().history('a', 'p1', 10)).toHaveLength(2)
    await become('degraded', 50)
    expect((await connectors().history('a', 'p1', 10)).map(({ status }) => status)).toEqual(['degraded', 'healthy', 'unhealthy'])
  })

  test('what came in adds up, in its own tenant alone', async () => {
    await connectors().addTotals('a', 'p1', { receivedCount: 4, failedCount: 2, byteCount: 91, lastEventAt: 30 })
    await connectors().addTotals('a', 'p1', { receivedCount: 0, failedCount: 1, byteCount: 0, lastEventAt: undefined })
    await connectors().addTotals('b', 'p1', { receivedCount: 100, failedCount: 100, byteCount: 100, lastEventAt: 99 })
    expect(await connectors().totals('a', 'p1')).toEqual({ receivedCount: 5, failedCount: 3, byteCount: 100, lastEventAt: 30 })
  })

  test('polling goes on where it was, in its own tenant alone', async () => {
    await connectors().setCursor('b', 'p1', 'elsewhere')
    expect(await connectors().cursor('a', 'p1')).toBe('cursor 1')
    await connectors().setCursor('a', 'p1', undefined)
    expect(await connectors().cursor('a', 'p1')).toBeUndefined()
  })

  test('one that is removed leaves nothing', async () => {
    expect(await connectors().remove('a', 'p1', 50)).toBe(true)
    expect(await connectors().remove('a', 'p1', 50)).toBe(false)
    expect(await connectors().setHealth('a', 'p1', { ...newConnectorHealth, status: 'healthy' }, 60)).toBe(false)
    expect(await connectors().history('a', 'p1', 10)).toEqual([])
    await connectors().insert('a', connectorWith({}), 'hash of a token')
    expect(await connectors().history('a', 'p1', 10)).toEqual([{ at: 1, status: 'pending', message: 'not checked yet' }])
    expect(await connectors().cursor('a', 'p1')).toBeUndefined()
  })
}
