import { alertDetailSchema, eventDetailSchema, ruleMatchListSchema, searchResultSchema, surroundingsSchema } from '@tripline/contract'
import { newConnectorSchema } from '@tripline/contract/console/sources/connector'
import { encodedPowerShell } from '@tripline/detection/test/rules'
import { createEventIds } from '@tripline/formats/event/event-id'
import { onlyTenant } from '@tripline/model/tenant'
import { SimulatedDisk } from '@tripline/storage/test/events/simulated-disk'
import { beforeAll, describe, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestServer } from '../../../test/open-test-server.ts'

const startedAt = Date.UTC(2026, 10, 20, 10)
const minutesAgo = (minutes: number): string => new Date(startedAt - minutes * 60_000).toISOString()

const encodedCommand = 'powershell.exe -enc AAAA'
/** Events of three hosts in three shapes, in the order in which they are sent, by the minutes before the clock. */
const sent: readonly object[] = [
  { n: 1, '@timestamp': minutesAgo(20), host: { name: 'WEB-1' }, message: 'before' },
  { n: 2, '@timestamp': minutesAgo(10), _logsource: { product: 'windows', category: 'process_creation' }, Computer: 'web-1', CommandLine: encodedCommand, Image: 'C:\\Windows\\powershell.exe', User: 'alice' },
  { n: 3, '@timestamp': minutesAgo(9), winlog: { channel: 'Security', event_id: 4624, computer_name: 'WEB-1', event_data: { LogonType: '3' } } },
  { n: 4, '@timestamp': minutesAgo(9), host: 'db-1', user: 'alice' },
  { n: 5, '@timestamp': minutesAgo(5), message: 'of no host' },
  { n: 6, '@timestamp': minutesAgo(4), hostname: 'web-1' },
  { n: 7, '@timestamp': minutesAgo(40), host: { name: 'WEB-1' } },
]

let server: TestServer
/** Ids of the events, by their numbers. */
let ids: ReadonlyMap<number, string>
beforeAll(async () => {
  server = await openTestServer([encodedPowerShell], { startedAt })
  await server.call('POST', '/ingest/v1/events', { body: sent })
  ids = await listIds(server)
})

async function listIds({ call }: TestServer, parameters = ''): Promise<ReadonlyMap<number, string>> {
  const { data } = searchResultSchema.parse((await call('GET', `/v1/search?limit=100${parameters}`)).body)
  return new Map(data.map(({ id, fields }) => [Number(fields['n']), id]))
}

const idOf = (number: number): string => ids.get(number)!
const getEvent = async (number: number) => eventDetailSchema.parse((await server.call('GET', `/v1/events/${idOf(number)}`)).body)
const getAround = (number: number, parameters = '') => server.call('GET', `/v1/events/${idOf(number)}/around?${parameters}`)

test('an event has one id wherever it is shown', async () => {
  expect(new Set(ids.values()).size).toBe(sent.length)
  const [alert] = (await server.app.state.alerts.list(onlyTenant, { limit: 1 })).entries
  const { evidence, rule_version } = alertDetailSchema.parse((await server.call('GET', `/v1/alerts/${alert!.id}`)).body)
  expect([rule_version, evidence.map(({ event_id: id }) => id)]).toEqual([1, [idOf(2)]])
  const matches = await server.call('GET', `/v1/detection/rules/${alert!.ruleId}/matches`)
  const listed = ruleMatchListSchema.parse(matches.body).matches.map(({ alert_id, event_id }) => ({ alert_id, event_id }))
  expect(listed).toEqual([{ alert_id: alert!.id, event_id: idOf(2) }])
  expect(await listIds(server, '&q=n:2&sort=timestamp:asc')).toEqual(new Map([[2, idOf(2)]]))
  const around = surroundingsSchema.parse((await getAround(2)).body)
  expect(around.data.find(({ fields }) => fields['n'] === 2)?.id).toBe(idOf(2))
  expect((await getEvent(2)).id).toBe(idOf(2))
})

test('an event keeps its id over a restart', async () => {
  const disk = new SimulatedDisk()
  const first = await openTestServer([], { startedAt, disk, statePath: ':memory:' })
  await first.call('POST', '/ingest/v1/events', { body: sent })
  const before = await listIds(first)
  const ref = createEventIds(first.app.keys.cursor, onlyTenant).parse(before.get(1)!)
  const again = await openTestServer([], { startedAt, disk: disk.restarted(() => 0) })
  expect(await again.app.events.find(onlyTenant, ref!)).toMatchObject({ bytes: Buffer.from(JSON.stringify(sent[0])) })
})

test('an event shows its text as it arrived, and what rules see of it', async () => {
  expect(await getEvent(3)).toEqual({
    id: idOf(3), timestamp: minutesAgo(9), received_at: new Date(startedAt).toISOString(), connector_id: null, connector_name: null,
    source_type: 'windows', source_ip: '', event_id: 4624, message: '', severity: 'info',
    logsources: expect.arrayContaining([{ category: '', product: 'windows', service: 'security' }]),
    raw: JSON.stringify(sent[2]),
    fields: expect.objectContaining({ Computer: 'WEB-1', EventID: 4624 }),
  })
})

test('an event names its connector, whose log source rules see', async () => {
  const config = { log_source: { product: 'acme', service: 'audit' } }
  const made = await server.call('POST', '/v1/connectors', { body: { name: 'Acme', type: 'http_ndjson', config } })
  const { id, ingest: { token = '' } = {} } = newConnectorSchema.parse(made.body)
  await server.call('POST', '/ingest/v1/events', { body: { n: 50, deep: { er: 1.0 } }, token })
  ids = await listIds(server)
  expect(await getEvent(50)).toMatchObject({
    connector_id: id, connector_name: 'Acme', logsources: [{ category: '', product: 'acme', service: 'audit' }], fields: { n: 50, deep: { er: 1 } },
  })
  const samples = await server.call('GET', `/v1/connectors/${id}/samples`)
  expect(samples.body).toMatchObject({ connector_id: id, samples: [{ fields: { n: 50 }, raw: expect.stringContaining('"n":50') }], complete: true })
  expect(await server.call('GET', `/v1/connectors/${id}/samples`, { token: await server.tokenOf(['admin'], 'other') })).toMatchObject({ status: 404 })
  await server.call('DELETE', `/v1/connectors/${id}`)
  expect(await getEvent(50)).toMatchObject({ connector_id: id, connector_name: null })
})

describe('events around an event', () => {
  test.for<[title: string, number: number, parameters: string, found: string, more: string, query: string]>([
    ['of its host in every shape', 2, '', '1 2 3 6', 'none', 'host:web-1'],
    ['within minutes', 2, 'minutes=5', '2 3', 'none', 'host:web-1'],
    ['as many as asked for', 2, 'minutes=60&before=1&after=1', '1 2 3', 'before after', 'host:web-1'],
    ['after it alone', 2, 'before=0', '2 3 6', 'before', 'host:web-1'],
    ['of its user', 2, 'same=user', '2 4', 'none', 'user:alice'],
    ['of any host where it names none', 5, 'minutes=5', '2 3 4 5 6', 'none', ''],
    ['of any host', 5, 'same=any&minutes=5', '2 3 4 5 6', 'none', ''],
  ])('%s', async ([, number, parameters, found, more, query]) => {
    const around = surroundingsSchema.parse((await getAround(number, parameters)).body)
    const shown = around.data.map(({ fields }) => fields['n']).filter((n) => n !== 50)
    const open = [around.more_before && 'before', around.more_after && 'after'].filter((side) => side !== false)
    expect([shown.join(' '), open.join(' ') || 'none', around.query.toLowerCase()]).toEqual([found, more, query])
  })

  test.for<[parameters: string, number: number, parameter: string]>([
    ['same=host', 5, 'same'], ['same=user', 1, 'same'], ['same=colour', 2, 'same'], ['minutes=0', 2, 'minutes'], ['before=501', 2, 'before'],
    ['after=-1', 2, 'after'],
  ])('with %s of event %d is refused', async ([parameters, number, parameter]) => {
    const { status, body } = await getAround(number, parameters)
    expect([status, body]).toMatchObject([400, { error: { code: 'INVALID_PARAMETER', details: { parameter } } }])
  })

  test('are on the audit trail as a search', async () => {
    await getAround(2, 'minutes=7')
    const { body } = await server.call('GET', '/v1/audit?limit=1')
    const range = { from: minutesAgo(17), to: new Date(startedAt - 180_000 + 1).toISOString() }
    expect(body).toMatchObject({ entries: [{ action: 'search.run', diff: { query: 'host:web-1', ...range, found: 3 } }] })
  })
})

describe('an id of no event is not found', () => {
  test.for(['', '/around'])('by /v1/events/:id%s', async (suffix) => {
    const otherTenant = createEventIds(server.app.keys.cursor, 'other')
    const own = createEventIds(server.app.keys.cursor, onlyTenant)
    const ref = own.parse(idOf(1))!
    const stranger = await server.tokenOf(['admin'], 'other')
    const tried: readonly (readonly [id: string, token?: string])[] = [
      ['made-up'], ['0'.repeat(32)], [own.print({ ...ref, number: 999 })], [own.print({ ...ref, occurredAt: ref.occurredAt + 1 })],
      [otherTenant.print(ref)], [idOf(1), stranger], [otherTenant.print(ref), stranger],
    ]
    const answers = await Promise.all(tried.map(([id, token]) => server.call('GET', `/v1/events/${id}${suffix}`, token === undefined ? {} : { token })))
    expect(new Set(answers.map(({ status, body }) => `${status} ${(body as { error: { message: string } }).error.message}`))).toEqual(
      new Set(['404 there is no such event']),
    )
  })

  test('an id is read in any case', async () => {
    expect((await server.call('GET', `/v1/events/${idOf(1).toUpperCase()}`)).status).toBe(200)
  })
})
