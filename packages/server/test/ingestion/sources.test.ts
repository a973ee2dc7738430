import { decodeSyslog } from '@tripline/formats/syslog/decode-message'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestServer } from '../open-test-server.ts'
import type { TestServer } from '../open-test-server.ts'

/** A rule for each log source, with the fields that published rules for it have. */
const rules = [
  ['Encoded PowerShell', 'product: windows, category: process_creation', "{Image|endswith: '\\powershell.exe', CommandLine|contains: ' -enc '}"],
  ['Refused password', 'product: linux, service: sshd', "['Failed password']"],
  ['Shell by audit', 'product: linux, service: auditd', "{type: EXECVE, a0: nc}"],
  ['Injection', 'category: webserver', "{cs-method: GET, cs-uri-query|contains: 'union+select'}"],
  ['Download', 'category: proxy', "{c-uri|endswith: '.exe'}"],
  ['Telnet', 'category: firewall', "{dst_port: 23, action: allow}"],
  ['Tunnel', 'category: dns', "{query|contains: 'tunnel'}"],
  ['Netcat', 'product: linux, category: process_creation', "{Image|endswith: /nc, CommandLine|contains: ' -e '}"],
  ['Root keys', 'product: aws, service: cloudtrail', '{eventName: CreateAccessKey}'],
] as const

const texts = rules.map(([title, logsource, selection], i) => `
title: ${title}
id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f1${String(i).padStart(3, '0')}
status: test
logsource: {${logsource}}
detection: {selection: ${selection}, condition: selection}
level: high
`)

let server: TestServer
beforeAll(async () => {
  server = await openTestServer(texts, { isPatient: false })
})
afterAll(async () => {
  await server.app.state.close()
})

const powershell = String.raw`C:\Windows\System32\WindowsPowerShell\v1.0\powershell.exe`
const command = 'powershell.exe -enc SQBFAFgA'
const sysmon = { channel: 'Microsoft-Windows-Sysmon/Operational', provider: 'Microsoft-Windows-Sysmon' }

const any = (value: unknown): object => {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'number') return { intValue: String(value) }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(any) } }
  return { kvlistValue: { values: Object.entries(value as object).map(([key, inner]) => ({ key, value: any(inner) })) } }
}
const otlp = (body: unknown): string => JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [{ timeUnixNano: '1763632800000000000', body: any(body) }] }] }] })

/** A message as a listener decodes it. */
function syslog(text: string): string {
  const decoded = decodeSyslog(Buffer.from(text), { receivedAt: Date.UTC(2026, 10, 20, 10) })
  return 'refusal' in decoded ? decoded.refusal.reason : Buffer.from(decoded.bytes ?? '').toString()
}
const events = '/ingest/v1/events'

describe('a rule fires on what a shipper sends', () => {
  // Written from the documentation of each producer.
  test.for<[producer: string, path: string, body: string, rule: string]>([
    [
      'OpenTelemetry Collector, windowseventlog', '/ingest/otlp/v1/logs', otlp({
        channel: sysmon.channel, computer: 'pc-1', event_id: { id: 1, qualifiers: 0 }, provider: { name: sysmon.provider, guid: '{5770385f}' },
        system_time: '2026-11-20T10:00:00.1Z', record_id: 7, event_data: { data: [{ Image: powershell }, { CommandLine: command }] },
      }), 'Encoded PowerShell',
    ],
    [
      'OpenTelemetry Collector, windowseventlog with flat data', '/ingest/otlp/v1/logs', otlp({
        channel: 'Security', event_id: { id: 4688 }, provider: { name: 'Microsoft-Windows-Security-Auditing' },
        event_data: { NewProcessName: powershell, CommandLine: command },
      }), 'Encoded PowerShell',
    ],
    [
      'Wazuh', '/_bulk', `{"index":{}}\n${JSON.stringify({ timestamp: '2026-11-20T10:00:00.000+0000', agent: { name: 'pc-1' }, data: { win: {
        system: { eventID: '1', channel: sysmon.channel, providerName: sysmon.provider, computer: 'pc-1' }, eventdata: { image: powershell, commandLine: command },
      } } })}\n`, 'Encoded PowerShell',
    ],
    [
      'Winlogbeat', '/_bulk', `{"create":{"_index":"winlogbeat"}}\n${JSON.stringify({
        '@timestamp': '2026-11-20T10:00:00.123Z', winlog: { channel: sysmon.channel, provider_name: sysmon.provider, event_id: '1', computer_name: 'pc-1',
          event_data: { Image: powershell, CommandLine: command } }, event: { code: '1', provider: sysmon.provider }, host: { name: 'pc-1' }, ecs: { version: '8.0.0' },
      })}\n`, 'Encoded PowerShell',
    ],
    [
      'NXLog in JSON over syslog', events, syslog(`<14>Nov 20 10:00:00 pc-1 Sysmon[1]: ${JSON.stringify({
        EventTime: '2026-11-20 10:00:00', Hostname: 'pc-1', EventID: 1, SourceName: sysmon.provider, Channel: sysmon.channel, Image: powershell, CommandLine: command,
      })}`), 'Encoded PowerShell',
    ],
    [
      'Windows events by HEC', '/services/collector', JSON.stringify({ time: 1763632800, host: 'pc-1', event: {
        EventID: 1, Channel: sysmon.channel, Provider_Name: sysmon.provider, Image: powershell, CommandLine: command,
      } }), 'Encoded PowerShell',
    ],
    ['rsyslog, sshd', events, syslog('<38>Nov 20 09:59:58 web-1 sshd[41]: Failed password for root from 10.0.0.9 port 4711 ssh2'), 'Refused password'],
    ['journald by Vector', events, JSON.stringify({ SYSLOG_IDENTIFIER: 'sshd', message: 'Failed password for root' }), 'Refused password'],
    ['Fluent Bit, syslog parser', events, JSON.stringify({ pri: '38', host: 'h', ident: 'sshd', program: 'sshd', message: 'Failed password' }), 'Refused password'],
    ['auditd by audisp-syslog', events, syslog('<13>Nov 20 10:00:00 h audispd: type=EXECVE msg=audit(1763632800.123:77): argc=2 a0="nc" a1="-l"'), 'Shell by audit'],
    ['nginx by syslog', events, syslog('<190>Nov 20 10:00:00 h nginx: 10.0.0.9 - - [20/Nov/2026:10:00:00 +0000] "GET /a?q=union+select HTTP/1.1" 200 1 "-" "x"'), 'Injection'],
    ['Apache in the common format', events, syslog('10.0.0.9 - - [20/Nov/2026:10:00:00 +0000] "GET /a?q=union+select HTTP/1.1" 200 1'), 'Injection'],
    ['squid by syslog', events, syslog('<13>Nov 20 10:00:00 h (squid-1): 1763632800.123 456 10.0.0.9 TCP_MISS/200 1234 GET http://a.example/x.exe - HIER_DIRECT/10.1.1.1 -'), 'Download'],
    ['a proxy in CEF', events, syslog('<13>Nov 20 10:00:00 p CEF:0|Acme|Proxy|1|1|Get|3|src=10.0.0.9 request=http://a.example/x.exe requestMethod=GET'), 'Download'],
    ['a firewall in CEF', events, syslog('<13>Nov 20 10:00:00 fw CEF:0|Acme|Wall|1|1|Pass|3|src=10.0.0.9 dst=10.0.0.1 dpt=23 act=allow'), 'Telnet'],
    ['a firewall in LEEF', events, syslog('<13>Nov 20 10:00:00 fw LEEF:1.0|Acme|Wall|1|pass|src=10.0.0.9\tdst=10.0.0.1\tdstPort=23\taction=allow'), 'Telnet'],
    ['Suricata, DNS', events, JSON.stringify({ timestamp: '2026-11-20T10:00:00.1+0000', event_type: 'dns', flow_id: 1, dns: { type: 'query', rrname: 'a.tunnel.example' } }), 'Tunnel'],
    ['Suricata, HTTP', events, JSON.stringify({ event_type: 'http', flow_id: 1, http: { hostname: 'a.example', url: '/x.exe', http_method: 'GET' } }), 'Download'],
    ['OCSF, DNS activity', events, JSON.stringify({ class_uid: 4003, time: 1763632800000, query: { hostname: 'a.tunnel.example' } }), 'Tunnel'],
    [
      'OCSF, process activity', events, JSON.stringify({ class_uid: 1007, activity_id: 1, time: 1763632800000, device: { os: { name: 'Linux' } },
        process: { cmd_line: 'nc -e /bin/sh', file: { path: '/usr/bin/nc' } } }), 'Netcat',
    ],
    ['CloudTrail', events, JSON.stringify({ eventSource: 'iam.amazonaws.com', eventName: 'CreateAccessKey', eventTime: '2026-11-20T10:00:00Z' }), 'Root keys'],
  ])('%s', async ([, path, body, rule]) => {
    const id = `0198f1c0-7a10-4c3e-9b1e-2f6a3a1f1${String(rules.findIndex(([title]) => title === rule)).padStart(3, '0')}`
    const count = async (): Promise<number> => {
      const { body: answer } = await server.call('GET', `/v1/detection/rules/${id}/matches`)
      return (answer as { readonly matches: readonly unknown[] }).matches.length
    }
    const before = await count()
    const { status } = await server.call('POST', path, { body, headers: { 'content-type': 'application/json' } })
    expect(status).toBeLessThan(300)
    await server.app.pipeline.untilIdle()
    expect(await count()).toBe(before + 1)
  })
})
