import { alertDetailSchema, searchResultSchema } from '@tripline/contract'
import { alertsOf } from '@tripline/detection/test/world'
import { onlyTenant } from '@tripline/model/tenant'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openTestServer } from './open-test-server.ts'
import type { TestServer } from './open-test-server.ts'

const sysmon = 'Microsoft-Windows-Sysmon/Operational'
const image = 'C:\\Windows\\System32\\whoami.exe'
const at = '2026-11-20T09:50:00.000Z'

/** One start of whoami on a host, in the shapes in which collectors send it. */
const shapes: readonly (readonly [shape: string, make: (host: string) => object])[] = [
  ['flat', (host) => ({ '@timestamp': at, Channel: sysmon, EventID: 1, Computer: host, User: 'CORP\\alice', Image: image })],
  ['evtx_dump', (host) => ({
    Event: {
      System: {
        Provider: { '#attributes': { Name: 'Microsoft-Windows-Sysmon' } }, EventID: 1, Channel: sysmon, Computer: host,
        TimeCreated: { '#attributes': { SystemTime: at } },
      },
      EventData: { User: 'CORP\\alice', Image: image },
    },
  })],
  ['winlogbeat 6', (host) => ({
    '@timestamp': at, '@metadata': { beat: 'winlogbeat' }, computer_name: host, event_id: 1, log_name: sysmon,
    source_name: 'Microsoft-Windows-Sysmon', beat: { hostname: 'collector' }, event_data: { User: 'CORP\\alice', Image: image },
  })],
  ['winlogbeat 8', (host) => ({
    '@timestamp': at, agent: { type: 'winlogbeat' }, event: { code: '1', provider: 'Microsoft-Windows-Sysmon' }, host: { name: host },
    winlog: {
      channel: sysmon, event_id: '1', computer_name: host, provider_name: 'Microsoft-Windows-Sysmon',
      event_data: { User: 'CORP\\alice', Image: image },
    },
  })],
  ['NXLog', (host) => ({
    EventTime: at, EventReceivedTime: at, SourceModuleName: 'eventlog', Channel: sysmon, EventID: 1, SourceName: 'Microsoft-Windows-Sysmon',
    Hostname: host, host: 'wec.corp.example', User: 'CORP\\alice', Image: image,
  })],
  ['Export-WinEvents', (host) => ({
    '@timestamp': at, TimeCreated: at, Channel: sysmon, EventID: 1, SourceName: 'Microsoft-Windows-Sysmon', Hostname: host,
    User: 'CORP\\alice', Image: image,
  })],
  ['ECS', (host) => ({
    '@timestamp': at, ecs: { version: '8.0.0' }, host: { name: host, os: { type: 'windows' } }, user: { name: 'CORP\\alice' },
    process: { executable: image, name: 'whoami.exe' }, event: { category: ['process'], type: ['start'] },
  })],
]

const whoami = `
title: Whoami
id: 5f6b2c1e-0d3a-4b6f-9d58-3c1f2a7b9e01
logsource: { product: windows, category: process_creation }
detection:
  selection: { Image|endswith: '\\whoami.exe' }
  condition: selection
level: high`

async function countEvents(server: TestServer, query: string): Promise<number> {
  const { body } = await server.call('GET', `/v1/search?q=${encodeURIComponent(query)}`)
  return searchResultSchema.parse(body).total
}

describe.for(shapes)('%s', ([shape, make]) => {
  test('three hosts make three alerts, which name host, user and process', async () => {
    const server = await openTestServer([whoami])
    await server.call('POST', '/ingest/v1/events', { body: ['HOST-A', 'HOST-B', 'HOST-C', 'host-a'].map(make) })
    const alerts = await alertsOf(server.app.state, onlyTenant)
    const shown = alerts.map(({ event: { host, user, processName }, eventCount }) => `${host} ${user} ${processName} ${eventCount}`)
    expect(shown.sort()).toEqual(['HOST-A CORP\\alice whoami.exe 2', 'HOST-B CORP\\alice whoami.exe 1', 'HOST-C CORP\\alice whoami.exe 1'])
  })

  test.for<[query: string, total: number]>([
    ['host:host-b', 1],
    ['hostname:HOST-B', 1],
    ['Computer:HOST-B', 1],
    ['host.name:HOST-*', 3],
    ['user:"CORP\\\\alice"', 3],
    ['process:whoami.exe', 3],
    ['process:whoami*', 3],
    ['Image:*\\\\whoami.exe', 3],
    ['HOST-B', 1],
    ['message:HOST-B', 0],
    ['host:nowhere', 0],
  ])('the search %s finds %d', async ([query, total]) => {
    const server = await openTestServer([])
    await server.call('POST', '/ingest/v1/events', { body: ['HOST-A', 'HOST-B', 'HOST-C'].map(make) })
    expect(await countEvents(server, query)).toBe(total)
  })

  // The Elastic Common Schema has no code and no channel of Windows.
  test.for([
    'EventID:1', 'event_id:1', 'winlog.event_id:1', `log_name:"${sysmon}"`, `winlog.channel:"${sysmon}"`,
  ])('%s finds Windows events', async (query) => {
    const server = await openTestServer([])
    await server.call('POST', '/ingest/v1/events', { body: ['HOST-A', 'HOST-B'].map(make) })
    expect(await countEvents(server, query)).toBe(shape === 'ECS' ? 0 : 2)
  })
})

describe('events that name no host', () => {
  const rule = `
title: Any sign-in
id: 5f6b2c1e-0d3a-4b6f-9d58-3c1f2a7b9e02
logsource: { product: thing }
detection:
  selection: { action: sign_in }
  condition: selection`
  const signIn = { _logsource: { product: 'thing' }, action: 'sign_in' }

  test.for<[title: string, events: object[], counts: number[]]>([
    ['make an alert each: two unknown hosts are not one', [{ ...signIn, user: 'a' }, { ...signIn, user: 'a', n: 2 }], [1, 1]],
    ['make one alert where their account and user are known', [
      { ...signIn, user: 'a', recipientAccountId: '111122223333' }, { ...signIn, user: 'A', recipientAccountId: '111122223333' },
    ], [2]],
    ['are apart from those of another account', [
      { ...signIn, user: 'a', recipientAccountId: '111122223333' }, { ...signIn, user: 'a', recipientAccountId: '444455556666' },
    ], [1, 1]],
    ['an account is no host of the same name', [{ ...signIn, recipientAccountId: 'x' }, { ...signIn, host: 'x' }], [1, 1]],
  ])('%s', async ([, events, counts]) => {
    const server = await openTestServer([rule])
    await server.call('POST', '/ingest/v1/events', { body: events })
    expect((await alertsOf(server.app.state, onlyTenant)).map(({ eventCount }) => eventCount)).toEqual(counts)
  })
})

test('from each alert of our own sample events, host and time lead back to its event', async () => {
  const folder = join(import.meta.dirname, '../../../fixtures')
  const names = ['windows-evtx', 'windows-security', 'windows-sysmon', 'windows-winlogbeat', 'linux-sshd', 'linux-auditd']
  const lines = names.flatMap((name) => readFileSync(join(folder, `events/${name}.ndjson`), 'utf8').trim().split('\n'))
  const everything = ['windows', 'linux'].map((product, i) => `
title: Any ${product} event
id: 5f6b2c1e-0d3a-4b6f-9d58-3c1f2a7b9e1${i}
logsource: { product: ${product} }
detection:
  selection: { '|re': . }
  condition: selection`)
  const server = await openTestServer(everything)
  await server.call('POST', '/ingest/v1/events', { body: lines.map((line) => JSON.parse(line) as object) })
  const alerts = await alertsOf(server.app.state, onlyTenant)
  const named = alerts.filter(({ event }) => event.host !== '')
  expect(named.length).toBeGreaterThan(8)
  for (const { id, event } of named) {
    const { evidence } = alertDetailSchema.parse((await server.call('GET', `/v1/alerts/${id}`)).body)
    const body = { query: `host:"${event.host}"`, ...rangeAround(event.statedTime), size: 100 }
    const { data } = searchResultSchema.parse((await server.call('POST', '/v1/search', { body })).body)
    expect(data.map(({ fields }) => fields), `${event.host} at ${event.statedTime}`).toContainEqual(evidence[0]?.event)
  }
})

/** A quarter of an hour around a time that an event states; the default range where it states none. */
function rangeAround(text: string): { readonly from?: string; readonly to?: string } {
  const stated = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)
  if (Number.isNaN(stated)) return {}
  return { from: new Date(stated - 900_000).toISOString(), to: new Date(stated + 900_000).toISOString() }
}
