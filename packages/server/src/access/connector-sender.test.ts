import { newConnectorHealth } from '@tripline/model/connector'
import type { Connector, IngestCounts } from '@tripline/model/connector'
import { describe, expect, test } from 'vitest'
import { authenticateConnectorSender, recordSentEvents } from './connector-sender.ts'
import { hashToken } from './keys/connector-token.ts'

const stored: Connector = {
  id: 'c-1', name: 'web', type: 'http_ndjson', isEnabled: true, config: {}, sealedSecrets: {}, health: newConnectorHealth,
  version: 1, createdAt: 0, updatedAt: 0,
}
const circumstances = { ip: '192.0.2.7', userAgent: 'shipper', requestId: 'r-1' }
const sender = { ...circumstances, tenant: 'acme', actor: { type: 'connector', id: 'c-1' }, grants: [] }

type Asked = { readonly token?: string; readonly eventsInLastMinute?: number; readonly ip?: string | undefined }

/** Authenticates with the token `good` against one stored connector, which had some events in the last minute. */
function authenticate(change: Partial<Connector>, { token = 'good', eventsInLastMinute = 0, ...from }: Asked = {}) {
  const find = async (hash: string) =>
    (hash === hashToken('good') ? { tenant: 'acme', connector: { ...stored, ...change } } : undefined)
  const traffic = { get: () => ({ eventsInLastMinute }), record: () => undefined }
  return authenticateConnectorSender({ state: { connectors: { find } }, connectors: { traffic } }, token, { ...circumstances, ...from })
}

describe('a sender with a connector token', () => {
  test.for<[title: string, config: Connector['config'], logsource: object | undefined]>([
    ['no settings', {}, undefined],
    ['a log source', { log_source: { product: 'windows', service: 'sysmon' } }, { product: 'windows', service: 'sysmon' }],
    ['a log source that is none', { log_source: 'windows' }, undefined],
    ['its own network', { allowed_cidrs: ['198.51.100.0/24', '192.0.2.0/24'] }, undefined],
  ])('is the connector, with %s', async ([, config, logsource]) => {
    expect(await authenticate({ config })).toEqual({ ...sender, ...(logsource && { logsource }) })
  })

  test.for<[title: string, change: Partial<Connector>, asked: Asked, code: string]>([
    ['an unknown token', {}, { token: 'other' }, 'UNAUTHORIZED'],
    ['a disabled connector', { isEnabled: false }, {}, 'UNAUTHORIZED'],
    ['an address outside', { config: { allowed_cidrs: ['198.51.100.0/24'] } }, {}, 'FORBIDDEN'],
    ['no address where one is needed', { config: { allowed_cidrs: ['192.0.2.0/24'] } }, { ip: undefined }, 'FORBIDDEN'],
    ['no network at all', { config: { allowed_cidrs: [] } }, {}, 'FORBIDDEN'],
    ['as many events as its rate allows', { config: { max_eps: 2 } }, { eventsInLastMinute: 120 }, 'RATE_LIMITED'],
  ])('is refused with %s', async ([, change, asked, code]) => {
    await expect(authenticate(change, asked)).rejects.toMatchObject(code === 'FORBIDDEN' ? { code, caller: { actor: sender.actor } } : { code })
  })

  test('is accepted one event below its rate', async () => {
    expect(await authenticate({ config: { max_eps: 2 } }, { eventsInLastMinute: 119 })).toEqual(sender)
  })
})

test.for<[type: 'connector' | 'api_key', counted: number]>([['connector', 1], ['api_key', 0]])('events of a sender of type %s are counted %i times', ([type, counted]) => {
  const counts: IngestCounts[] = []
  const arrival = { receivedCount: 3, refusedCount: 1, byteCount: 90 }
  const traffic = { get: () => ({ eventsInLastMinute: 0 }), record: (...[, , recorded]: [string, string, IngestCounts]) => void counts.push(recorded) }
  recordSentEvents({ connectors: { traffic } }, { ...circumstances, tenant: 'acme', actor: { type, id: 'c-1' }, grants: [] }, arrival)
  expect(counts).toEqual(counted === 1 ? [arrival] : [])
})
