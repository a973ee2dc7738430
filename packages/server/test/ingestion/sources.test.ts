import { readEventFile } from '@tripline/formats/files/read-events'
import { decodeSyslog } from '@tripline/formats/syslog/decode-message'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestServer } from '../open-test-server.ts'
import type { TestServer } from '../open-test-server.ts'

/** A rule for each log source, with the fields that published rules for it have. */
const rules = [
  ['Encoded PowerShell', 'product: windows, category: process_creation', "{Image|endswith: '\\powershell.exe', CommandLine|contains: ' -enc '}"],
  ['Refused password', 'product: linux, service: sshd', "['Failed password']"],
  ['Shell by audit', 'product: linux, service: auditd', "{type: EXECVE, a0: nc}"],
  ['Shell of a web server by audit', 'product: linux, service: auditd', "{type: EXECVE, a0: sh, euid: 33, cwd: /var/www, proctitle|contains: /dev/tcp}"],
  ['Injection', 'category: webserver', "{cs-method: GET, cs-uri-query|contains: 'union+select'}"],
  ['Download', 'category: proxy', "{c-uri|endswith: '.exe'}"],
  ['Telnet', 'category: firewall', "{dst_port: 23, action: allow}"],
  ['Tunnel', 'category: dns', "{query|contains: 'tunnel'}"],
  ['Netcat', 'product: linux, category: process_creation', "{Image|endswith: /nc, CommandLine|contains: ' -e '}"],
  ['Root keys', 'product: aws, service: cloudtrail', '{eventName: CreateAccessKey}'],
  ['Refused sign-in', 'product: azure, service: signinlogs', '{ResultType: 50126, userAgent|contains: azurehound}'],
  ['User added', 'product: azure, service: auditlogs', '{properties.message: Add user, Category: UserManagement}'],
  ['Odd token', 'product: azure, service: riskdetection', '{riskEventType: tokenIssuerAnomaly}'],
  ['Firewall removed', 'product: azure, service: activitylogs', '{operationName: MICROSOFT.NETWORK/AZUREFIREWALLS/DELETE}'],
  ['Sign-on policy', 'product: okta, service: okta', '{eventType: policy.lifecycle.delete, outcome.result: SUCCESS}'],
  ['Mail forwarded', 'product: m365, service: audit', '{Operation: Set-Mailbox, Parameters|contains: ForwardingSmtpAddress}'],
  ['Secrets', 'category: application, product: kubernetes, service: audit', '{verb: list, objectRef.resource: secrets}'],
  ['Printer driver', 'product: zeek, service: dce_rpc', '{endpoint: spoolss, operation: RpcAddPrinterDriverEx}'],
  ['Firewall rule', 'product: gcp, service: gcp.audit', "{gcp.audit.method_name: 'v*.Compute.Firewalls.Delete'}"],
  ['Branch protection', 'product: github, service: audit', '{action: protected_branch.destroy}'],
  ['New service', 'product: windows, service: system', "{Provider_Name: Service Control Manager, EventID: 7045, ImagePath|contains: 'cmd /c'}"],
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

/** Lines of a file, as the collector and the command line decode them. */
async function decodeFile(lines: readonly string[]): Promise<string> {
  const { chunks } = await readEventFile(Readable.from([Buffer.from(`${lines.join('\n')}\n`)]), (problem) => { throw new Error(JSON.stringify(problem)) }, { readAt: 0 })
  const parts: Buffer[] = []
  for await (const chunk of chunks) parts.push(Buffer.from(chunk))
  return Buffer.concat(parts).toString()
}

/** The records of one system call, as the kernel gives them to auditd. */
function auditRecords(serial: number): readonly string[] {
  const at = `msg=audit(1763632800.123:${serial}):`
  return [
    `type=SYSCALL ${at} arch=c000003e syscall=59 success=yes exit=0 a0=5581 a1=5590 items=1 pid=9 uid=33 euid=33 comm="sh" exe="/usr/bin/dash" key=(null)`,
    `type=EXECVE ${at} argc=3 a0="sh" a1="-c" a2=657865632035`, `type=CWD ${at} cwd="/var/www"`,
    `type=PATH ${at} item=0 name="/bin/sh" inode=1 nametype=NORMAL`, `type=PROCTITLE ${at} proctitle=7368002D63002F6465762F746370`,
  ]
}

const rendered = ['Process Create:', 'RuleName: -', 'ProcessId: 4711', `Image: ${powershell}`, `CommandLine: ${command}`].join('\r\n')
const signIn = {
  userPrincipalName: 'ann@example.com', appId: '6f7e', appDisplayName: 'Portal', ipAddress: '203.0.113.9', userAgent: 'azurehound/2.1', clientAppUsed: 'Browser',
  conditionalAccessStatus: 'notApplied', status: { errorCode: 50126, failureReason: 'Invalid username or password.' },
}
const added = {
  category: 'UserManagement', result: 'success', activityDisplayName: 'Add user', activityDateTime: '2026-11-20T10:00:00Z', loggedByService: 'Core Directory',
  initiatedBy: { user: { userPrincipalName: 'ann@example.com' } }, targetResources: [{ type: 'User', userPrincipalName: 'new@example.com' }],
}
const exported = { time: '2026-11-20T10:00:00.1234567Z', resourceId: '/tenants/7a/providers/Microsoft.aadiam', tenantId: '7a' }
const secrets = {
  kind: 'Event', apiVersion: 'audit.k8s.io/v1', level: 'Metadata', auditID: 'b1', stage: 'ResponseComplete', requestURI: '/api/v1/secrets', verb: 'list',
  user: { username: 'system:serviceaccount:web:default' }, sourceIPs: ['10.0.0.9'], objectRef: { resource: 'secrets', apiVersion: 'v1' },
  responseStatus: { code: 200 }, requestReceivedTimestamp: '2026-11-20T10:00:00.123456Z', stageTimestamp: '2026-11-20T10:00:00.125Z',
}
const rootKeys = { eventSource: 'iam.amazonaws.com', eventName: 'CreateAccessKey', eventTime: '2026-11-20T10:00:00Z' }
const bulk = (event: object): string => `{"create":{}}\n${JSON.stringify({ '@timestamp': '2026-11-20T10:00:00.000Z', ecs: { version: '8.17.0' }, ...event })}\n`

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
    ['auditd by audisp-syslog, several records', events, auditRecords(80).map((record) => syslog(`<13>Nov 20 10:00:00 h audispd: ${record}`)).join('\n'), 'Shell of a web server by audit'],
    ['audit.log by Filebeat, several records', '/_bulk', auditRecords(81).map((message, offset) => bulk({ message, log: { offset } })).join(''), 'Shell of a web server by audit'],
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
    ['CloudTrail', events, JSON.stringify(rootKeys), 'Root keys'],
    ['CloudTrail, a file of its bucket', events, JSON.stringify({ Records: [rootKeys] }), 'Root keys'],
    [
      'Fluent Bit, winevtlog of Sysmon', '/services/collector', JSON.stringify({ time: 1763632800, event: {
        ProviderName: sysmon.provider, ProviderGuid: '{5770385F}', Qualifiers: '', EventID: 1, Version: 5, Level: 4, Task: 1, Opcode: 0,
        TimeCreated: '2026-11-20 10:00:00 +0000', EventRecordID: 7, ProcessID: 3904, ThreadID: 4272, Channel: sysmon.channel, Computer: 'pc-1',
        UserID: 'S-1-5-18', Message: rendered, StringInserts: ['-', '4711', powershell, command],
      } }), 'Encoded PowerShell',
    ],
    [
      'Fluent Bit, winevtlog of Security', '/services/collector', JSON.stringify({ time: 1763632800, event: {
        ProviderName: 'Microsoft-Windows-Security-Auditing', EventID: 4688, Version: 2, Channel: 'Security', Computer: 'pc-1', Message: 'A new process has been created.',
        StringInserts: ['S-1-5-18', 'PC-1$', 'CORP', '0x3e7', '0x12', powershell, '%%1936', '0x34', command, 'S-1-0-0', '-', '-', '0x0', 'C:\\a.exe', 'S-1-16-16384'],
      } }), 'Encoded PowerShell',
    ],
    [
      'Fluentd, windows_eventlog2', events, JSON.stringify({
        ProviderName: 'Service Control Manager', ProviderGUID: '{555908d1}', EventID: '7045', Qualifiers: '16384', Level: '4', Task: '0', Channel: 'System', Computer: 'pc-1',
        TimeCreated: '2026/11/20 10:00:00.123456789', EventData: ['helper', 'cmd /c run.bat', 'user mode service', 'auto start', 'LocalSystem'],
      }), 'New service',
    ],
    [
      'Vector, windows_event_log', '/_bulk', bulk({
        source_type: 'windows_event_log', timestamp: '2026-11-20T10:00:00.123Z', message: rendered, channel: sysmon.channel, event_id: 1, level: 'Information',
        provider_name: sysmon.provider, computer: 'pc-1', record_id: 7, event_data: { Image: powershell, CommandLine: command },
      }), 'Encoded PowerShell',
    ],
    ['Filebeat, a program in process.name alone', '/_bulk', bulk({ message: 'Failed password for root', process: { name: 'sshd', pid: 41 }, host: { name: 'h' } }), 'Refused password'],
    [
      'Filebeat, module nginx', '/_bulk', bulk({
        event: { module: 'nginx', dataset: 'nginx.access', category: ['web'] }, http: { request: { method: 'GET' }, response: { status_code: 200 } },
        url: { original: '/a?q=union+select', path: '/a', query: 'q=union+select' }, source: { ip: '203.0.113.9' },
      }), 'Injection',
    ],
    [
      'Filebeat, module iis', '/_bulk', bulk({
        event: { module: 'iis', dataset: 'iis.access' }, http: { request: { method: 'GET' } }, url: { path: '/a', query: 'q=union+select' },
      }), 'Injection',
    ],
    [
      'Entra ID by an event hub, sign-in', events, JSON.stringify({ records: [{
        ...exported, operationName: 'Sign-in activity', category: 'SignInLogs', resultType: '50126', resultDescription: 'Invalid username or password.',
        callerIpAddress: '203.0.113.9', properties: signIn,
      }] }), 'Refused sign-in',
    ],
    [
      'Entra ID by an event hub, audit', events, JSON.stringify({ records: [{
        ...exported, operationName: 'Add user', category: 'AuditLogs', resultSignature: 'None', properties: added,
      }] }), 'User added',
    ],
    [
      'Entra ID by an event hub, risk', events, JSON.stringify({ records: [{
        ...exported, operationName: 'User Risk Detection', category: 'UserRiskEvents', properties: { riskEventType: 'tokenIssuerAnomaly', riskState: 'atRisk' },
      }] }), 'Odd token',
    ],
    [
      'Azure activity log by an event hub', events, JSON.stringify({ records: [{
        time: exported.time, resourceId: '/SUBSCRIPTIONS/1/RESOURCEGROUPS/R', operationName: 'Microsoft.Network/azureFirewalls/delete', category: 'Administrative',
        resultType: 'Success', caller: 'ann@example.com',
      }] }), 'Firewall removed',
    ],
    [
      'Entra ID, a row of Log Analytics', events, JSON.stringify({
        TenantId: '7a', Type: 'SigninLogs', TimeGenerated: '2026-11-20T10:00:00Z', OperationName: 'Sign-in activity', Category: 'SignInLogs', ResultType: '50126',
        UserAgent: 'azurehound/2.1', UserPrincipalName: 'ann@example.com',
      }), 'Refused sign-in',
    ],
    ['Entra ID, a sign-in of Graph', events, JSON.stringify({ id: 's1', createdDateTime: '2026-11-20T10:00:00Z', ...signIn }), 'Refused sign-in'],
    ['Entra ID, an audit of Graph', events, JSON.stringify({ id: 'a1', ...added }), 'User added'],
    [
      'Okta, System Log', events, JSON.stringify([{
        uuid: 'u1', published: '2026-11-20T10:00:00.123Z', eventType: 'policy.lifecycle.delete', version: '0', severity: 'INFO', displayMessage: 'Delete policy',
        actor: { id: '00u1', type: 'User', alternateId: 'ann@example.com' }, outcome: { result: 'SUCCESS' }, target: [{ id: 'p1', type: 'PolicyEntity' }],
        client: { ipAddress: '203.0.113.9' },
      }]), 'Sign-on policy',
    ],
    [
      'Microsoft 365, Management Activity API', events, JSON.stringify([{
        CreationTime: '2026-11-20T10:00:00', Id: 'e1', Operation: 'Set-Mailbox', OrganizationId: '7a', RecordType: 1, ResultStatus: 'True', UserType: 2, Workload: 'Exchange',
        UserId: 'ann@example.com', Parameters: [{ Name: 'Identity', Value: 'ann' }, { Name: 'ForwardingSmtpAddress', Value: 'smtp:x@example.org' }],
      }]), 'Mail forwarded',
    ],
    ['Kubernetes audit log, a file', events, JSON.stringify(secrets), 'Secrets'],
    [
      'Kubernetes audit webhook', events, JSON.stringify({ kind: 'EventList', apiVersion: 'audit.k8s.io/v1', metadata: {}, items: [secrets] }), 'Secrets',
    ],
    [
      'Google Cloud audit log', events, JSON.stringify({
        timestamp: '2026-11-20T10:00:00.1Z', logName: 'projects/p/logs/cloudaudit.googleapis.com%2Factivity', protoPayload: {
          '@type': 'type.googleapis.com/google.cloud.audit.AuditLog', serviceName: 'compute.googleapis.com', methodName: 'v1.compute.firewalls.delete',
        },
      }), 'Firewall rule',
    ],
    ['GitHub audit log', events, JSON.stringify({ '@timestamp': 1763632800000, action: 'protected_branch.destroy', actor: 'ann', org: 'acme' }), 'Branch protection'],
    [
      'Zeek in JSON', events, JSON.stringify({
        _path: 'dce_rpc', ts: '2026-11-20T10:00:00.123456Z', uid: 'C1', 'id.orig_h': '10.0.0.9', endpoint: 'spoolss', operation: 'RpcAddPrinterDriverEx',
      }), 'Printer driver',
    ],
  ])('%s', async ([, path, body, rule]) => {
    await expectMatch(path, body, rule)
  })

  // Written from the documentation of each producer, too.
  test.for<[producer: string, lines: readonly string[], rule: string]>([
    ['Zeek in tabs, HTTP', [
      '#separator \\x09', '#set_separator\t,', '#empty_field\t(empty)', '#unset_field\t-', '#path\thttp', '#open\t2026-11-20-10-00-00',
      '#fields\tts\tuid\tid.orig_h\tid.orig_p\tid.resp_h\tid.resp_p\tmethod\thost\turi\tuser_agent\tstatus_code',
      '#types\ttime\tstring\taddr\tport\taddr\tport\tstring\tstring\tstring\tstring\tcount',
      '1763632800.123456\tC1\t10.0.0.9\t4711\t198.51.100.7\t80\tGET\ta.example\t/x.exe\t-\t200', '#close\t2026-11-20-11-00-00',
    ], 'Download'],
    ['Zeek in tabs, DNS', [
      '#separator \\x09', '#path\tdns', '#fields\tts\tuid\tid.orig_h\tquery\tqtype_name\tanswers', '#types\ttime\tstring\taddr\tstring\tstring\tvector[string]',
      '1763632800.123456\tC2\t10.0.0.9\ta.tunnel.example\tTXT\t-',
    ], 'Tunnel'],
    ['IIS', [
      '#Software: Microsoft Internet Information Services 10.0', '#Version: 1.0', '#Date: 2026-11-20 10:00:00',
      '#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) sc-status sc-substatus sc-win32-status time-taken',
      '2026-11-20 10:00:00 10.0.0.1 GET /a q=union+select 443 - 203.0.113.9 curl/8.5 - 200 0 0 15',
    ], 'Injection'],
    ['auditd', ['type=EXECVE msg=audit(1763632800.123:78): argc=2 a0="nc" a1="-l"'], 'Shell by audit'],
    ['auditd, several records', auditRecords(79), 'Shell of a web server by audit'],
  ])('%s', async ([, lines, rule]) => {
    await expectMatch(events, await decodeFile(lines), rule)
  })
})

/** Sends a body and expects one more match of a rule. */
async function expectMatch(path: string, body: string, rule: string): Promise<void> {
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
}
