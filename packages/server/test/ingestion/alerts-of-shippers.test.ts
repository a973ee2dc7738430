import { alertListSchema } from '@tripline/contract'
import { decodeSyslog } from '@tripline/formats/syslog/decode-message'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestServer } from '../open-test-server.ts'
import type { TestServer } from '../open-test-server.ts'

/** Matches the name of the attack in any field: of Windows events, and of all for which the connector states the log source. */
const rules = ['product: windows', 'product: shipper'].map((logsource, i) => `
title: Anything
id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f200${i}
status: test
logsource: {${logsource}}
detection: {words: ['mimikatz'], condition: words}
level: high
`)

const [events, bulkPath, hec, logs] = ['/ingest/v1/events', '/_bulk', '/services/collector', '/ingest/otlp/v1/logs'] as const
const connectorTypes = { [events]: 'http_ndjson', [bulkPath]: 'elastic_bulk', [hec]: 'splunk_hec', [logs]: 'otlp_http' } as const

let server: TestServer
const tokens = new Map<string, string>()
beforeAll(async () => {
  server = await openTestServer(rules, { isPatient: false })
  for (const [path, type] of Object.entries(connectorTypes)) {
    const body = { name: type, type, config: { log_source: { product: 'shipper' } } }
    const created = await server.call('POST', '/v1/connectors', { body })
    tokens.set(path, (created.body as { readonly ingest: { readonly token: string } }).ingest.token)
  }
})
afterAll(async () => {
  await server.app.state.close()
})

const any = (value: unknown): object => {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'number') return { intValue: String(value) }
  return { kvlistValue: { values: Object.entries(value as object).map(([key, inner]) => ({ key, value: any(inner) })) } }
}

/** A log record as the OpenTelemetry Collector sends it, with attributes of its resource. */
function otlp(body: unknown, resource: { readonly [key: string]: string } = {}): string {
  const attributes = Object.entries(resource).map(([key, value]) => ({ key, value: { stringValue: value } }))
  return JSON.stringify({ resourceLogs: [{ resource: { attributes }, scopeLogs: [{ logRecords: [{ timeUnixNano: '1763632800000000000', body: any(body) }] }] }] })
}

/** A message as a listener decodes it. */
function syslog(text: string): string {
  const decoded = decodeSyslog(Buffer.from(text), { receivedAt: Date.UTC(2026, 10, 20, 10) })
  return 'refusal' in decoded ? decoded.refusal.reason : Buffer.from(decoded.bytes ?? '').toString()
}

const bulk = (event: object): string => `{"create":{}}\n${JSON.stringify(event)}\n`
const line = 'mimikatz.exe sekurlsa::logonpasswords'
const sysmon = { channel: 'Microsoft-Windows-Sysmon/Operational', provider: 'Microsoft-Windows-Sysmon' }

test.for<[producer: string, path: string, body: (host: string) => string, user: string]>([
  ['the OpenTelemetry Collector, Windows', logs, (host) => otlp({
    channel: sysmon.channel, computer: host, event_id: { id: 1 }, provider: { name: sysmon.provider }, event_data: { CommandLine: line, User: 'CORP\\ann' },
  }), 'CORP\\ann'],
  ['the OpenTelemetry Collector, a host of the resource', logs, (host) => otlp(`ran ${line}`, { 'host.name': host }), ''],
  ['Wazuh', bulkPath, (host) => bulk({ agent: { name: host }, data: { win: {
    system: { eventID: '1', channel: sysmon.channel, providerName: sysmon.provider, computer: host }, eventdata: { commandLine: line, user: 'CORP\\ann' },
  } } }), 'CORP\\ann'],
  ['Winlogbeat', bulkPath, (host) => bulk({
    winlog: { channel: sysmon.channel, provider_name: sysmon.provider, event_id: '1', computer_name: host, event_data: { CommandLine: line, User: 'CORP\\ann' } },
    host: { name: host }, ecs: { version: '8.0.0' },
  }), 'CORP\\ann'],
  ['Filebeat', bulkPath, (host) => bulk({ host: { name: host }, user: { name: 'ann' }, message: line, ecs: { version: '8.0.0' } }), 'ann'],
  ['HEC, the host beside the event', hec, (host) => JSON.stringify({ host, event: { command: line, user: 'ann' } }), 'ann'],
  ['HEC, a text', hec, (host) => JSON.stringify({ host, event: `ran ${line}` }), ''],
  ['rsyslog', events, (host) => syslog(`<38>Nov 20 09:59:58 ${host} sudo[41]: ann ran ${line}`), ''],
  ['RFC 5424', events, (host) => syslog(`<38>1 2026-11-20T09:59:58Z ${host} app 1 - - ${line}`), ''],
  ['CEF', events, (host) => syslog(`<13>Nov 20 10:00:00 relay CEF:0|Acme|EDR|1|1|Run|3|dvchost=${host} suser=ann msg=${line}`), 'ann'],
  ['LEEF', events, (host) => syslog(`<13>Nov 20 10:00:00 ${host} LEEF:1.0|Acme|EDR|1|run|usrName=ann\tcmd=${line}`), 'ann'],
  ['LEEF with the machine in it', events, (host) => syslog(`<13>Nov 20 10:00:00 relay LEEF:1.0|Acme|EDR|1|run|usrName=ann\tidentHostName=${host}\tcmd=${line}`), 'ann'],
  ['OCSF', events, (host) => JSON.stringify({ class_uid: 1007, activity_id: 1, time: 1763632800000, device: { hostname: host, os: { name: 'Windows' } },
    actor: { user: { name: 'ann' } }, process: { cmd_line: line, file: { path: 'C:\\mimikatz.exe' } } }), 'ann'],
])('alerts of %s name host and user, and two hosts are two alerts', async ([producer, path, body, user]) => {
  const hosts = ['a', 'b'].map((letter) => `${letter}-${producer.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`)
  for (const host of hosts) {
    const { status } = await server.call('POST', path, {
      body: body(host), token: tokens.get(path) ?? '', headers: { 'content-type': 'application/json' },
    })
    expect(status).toBeLessThan(300)
  }
  await server.app.pipeline.untilIdle()
  const { alerts } = alertListSchema.parse((await server.call('GET', '/v1/alerts?limit=100')).body)
  const theirs = alerts.filter(({ event }) => hosts.includes(event.host)).sort((a, b) => (a.event.host < b.event.host ? -1 : 1))
  expect(theirs.map(({ event }) => [event.host, event.user])).toEqual(hosts.map((host) => [host, user]))
})
