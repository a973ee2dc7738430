import { expect, test } from 'vitest'
import type { EventObject } from '../event/event.ts'
import { normalizeEvent } from './normalize.ts'
import { listObservables, readPrimaryObservables } from './observables.ts'
import type { PrimaryObservables } from './observables.ts'

const sysmon = 'Microsoft-Windows-Sysmon/Operational'
const startOfWhoami = {
  host: 'ws-1.corp.example', user: 'CORP\\alice', process: 'C:\\Windows\\System32\\whoami.exe', commandLine: 'whoami /all',
}

test.for<[shape: string, event: EventObject, read: Partial<PrimaryObservables>]>([
  ['Sysmon, flat', {
    Channel: sysmon, EventID: 1, Computer: 'ws-1.corp.example', User: 'CORP\\alice', Image: 'C:\\Windows\\System32\\whoami.exe',
    CommandLine: 'whoami /all', ParentImage: 'C:\\Windows\\explorer.exe',
  }, { ...startOfWhoami, parentProcess: 'C:\\Windows\\explorer.exe' }],
  ['evtx_dump', {
    Event: {
      System: { Provider: { '#attributes': { Name: 'Microsoft-Windows-Sysmon' } }, EventID: 1, Channel: sysmon, Computer: 'ws-1.corp.example' },
      EventData: { User: 'CORP\\alice', Image: 'C:\\Windows\\System32\\whoami.exe', CommandLine: 'whoami /all' },
    },
  }, startOfWhoami],
  ['winlogbeat 6: the machine, not the collector', {
    '@timestamp': '2026-11-20T10:00:00Z', '@metadata': { beat: 'winlogbeat' }, computer_name: 'ws-1.corp.example', event_id: 1,
    log_name: sysmon, source_name: 'Microsoft-Windows-Sysmon', beat: { name: 'collector', hostname: 'collector' }, host: { name: 'collector' },
    event_data: { User: 'CORP\\alice', Image: 'C:\\Windows\\System32\\whoami.exe', CommandLine: 'whoami /all' },
  }, startOfWhoami],
  ['winlogbeat 8', {
    '@timestamp': '2026-11-20T10:00:00Z', agent: { type: 'winlogbeat' }, event: { code: '1', provider: 'Microsoft-Windows-Sysmon' },
    host: { name: 'ws-1.corp.example' },
    winlog: {
      channel: sysmon, event_id: '1', computer_name: 'ws-1.corp.example', provider_name: 'Microsoft-Windows-Sysmon',
      event_data: { User: 'CORP\\alice', Image: 'C:\\Windows\\System32\\whoami.exe', CommandLine: 'whoami /all' },
    },
  }, startOfWhoami],
  ['NXLog: `Hostname` is the machine, `host` the collector', {
    EventReceivedTime: '2026-11-20 10:00:01', EventTime: '2026-11-20 10:00:00', SourceModuleName: 'eventlog', Channel: sysmon, EventID: 1,
    SourceName: 'Microsoft-Windows-Sysmon', Hostname: 'ws-1.corp.example', host: 'wec.corp.example', User: 'CORP\\alice',
    Image: 'C:\\Windows\\System32\\whoami.exe', CommandLine: 'whoami /all',
  }, startOfWhoami],
  ['ECS', {
    ecs: { version: '8.0.0' }, host: { name: 'ws-1.corp.example' }, user: { name: 'CORP\\alice' },
    process: { executable: 'C:\\Windows\\System32\\whoami.exe', command_line: 'whoami /all', name: 'whoami.exe' },
    event: { category: ['process'], type: ['start'] },
  }, startOfWhoami],
  ['a process that reads another', {
    Channel: sysmon, EventID: 10, Computer: 'ws-1', SourceImage: 'C:\\Temp\\dump.exe', SourceUser: 'CORP\\bob',
    TargetImage: 'C:\\Windows\\System32\\lsass.exe', TargetUser: 'NT AUTHORITY\\SYSTEM',
  }, { host: 'ws-1', user: 'CORP\\bob', process: 'C:\\Temp\\dump.exe' }],
  ['a logon: placeholders say nothing', {
    Channel: 'Security', EventID: 4624, Computer: 'dc-1', SubjectUserName: '-', TargetUserName: 'carol', IpAddress: '192.0.2.7', ProcessName: '-',
  }, { host: 'dc-1', user: 'carol', process: '', sourceAddress: '192.0.2.7' }],
  ['a member of a group: who added it, not the group', {
    Channel: 'Security', EventID: 4728, Computer: 'dc-1', TargetUserName: 'Domain Admins', SubjectUserName: 'mallory', MemberName: '-',
  }, { host: 'dc-1', user: 'mallory' }],
  ['a member of a group, winlogbeat 8', {
    '@timestamp': '2026-11-20T10:00:00Z', agent: { type: 'winlogbeat' }, event: { code: '4732', provider: 'Microsoft-Windows-Security-Auditing' },
    winlog: {
      channel: 'Security', event_id: '4732', computer_name: 'dc-1', event_data: { TargetUserName: 'Administrators', SubjectUserName: 'mallory' },
    },
  }, { host: 'dc-1', user: 'mallory' }],
  ['an account that was made', {
    Channel: 'Security', EventID: 4720, Computer: 'dc-1', TargetUserName: 'new', SubjectUserName: 'mallory',
  }, { user: 'new' }],
  ['an audit record: its far side is not its machine', {
    type: 'USER_AUTH', serial: 212, node: 'web-1', acct: 'root', exe: '/usr/sbin/sshd', hostname: '203.0.113.9', addr: '203.0.113.9',
    auid: '4294967295', terminal: 'ssh',
  }, { host: 'web-1', user: 'root', process: '/usr/sbin/sshd', sourceAddress: '203.0.113.9' }],
  ['an audit record of the system: its login id is unset, as text and as number', {
    type: 'SERVICE_STOP', serial: 213, node: 'web-1', pid: 1, auid: 4294967295, unit: 'auditd', exe: '/usr/lib/systemd/systemd',
  }, { host: 'web-1', user: '', process: '/usr/lib/systemd/systemd' }],
  ['an audit record of arguments', { type: 'EXECVE', serial: 7, node: 'web-1', argc: '3', a0: 'curl', a1: '-o', a2: '/var/x' },
    { process: 'curl', commandLine: 'curl -o /var/x' }],
  ['an audit record without its machine: the collector names it', {
    type: 'SERVICE_STOP', serial: 213, host: 'web-1', hostname: '?', pid: 1, unit: 'nftables',
  }, { host: 'web-1' }],
  ['an audit record with both', { type: 'USER_AUTH', serial: 212, node: 'web-1', host: 'collector-1', hostname: '203.0.113.9' }, { host: 'web-1' }],
  ['syslog', { hostname: 'web-1', program: 'sshd', message: 'Accepted password for root' }, { host: 'web-1', process: 'sshd' }],
  ['CloudTrail, a user', {
    eventSource: 'iam.amazonaws.com', eventName: 'CreateUser', recipientAccountId: '111122223333', sourceIPAddress: '203.0.113.9',
    userIdentity: { type: 'IAMUser', userName: 'alice', accountId: '111122223333' },
  }, { host: '', account: '111122223333', user: 'alice', sourceAddress: '203.0.113.9' }],
  ['CloudTrail, a role', {
    eventSource: 'sts.amazonaws.com', eventName: 'AssumeRole',
    userIdentity: { type: 'AssumedRole', arn: 'arn:aws:sts::1:assumed-role/ops/bob', sessionContext: { sessionIssuer: { userName: 'ops' } } },
  }, { user: 'ops' }],
  ['IIS', { 'cs-method': 'GET', 'cs-uri-stem': '/a', 's-computername': 'iis-1', 'cs-host': 'shop.example', 'cs-username': 'alice', 'c-ip': '203.0.113.9' },
    { host: 'iis-1', user: 'alice', sourceAddress: '203.0.113.9' }],
  ['a proxy: the machine that asked, not the site', { 'c-uri': 'http://evil.example/', 'cs-host': 'evil.example', 'c-ip': '10.0.0.7', 'cs-username': 'alice' },
    { host: '10.0.0.7', user: 'alice' }],
  ['Zeek: the machine that opened the connection', { _path: 'http', ts: 1, uid: 'CZmBeg2O49UPjCaK39', 'id.orig_h': '10.0.0.7', 'id.resp_h': '203.0.113.9', host: 'evil.example' },
    { host: '10.0.0.7', user: '', sourceAddress: '10.0.0.7' }],
  ['Kubernetes', {
    kind: 'Event', apiVersion: 'audit.k8s.io/v1', verb: 'create', objectRef: { resource: 'pods' }, user: { username: 'system:anonymous' },
    sourceIPs: ['203.0.113.9'],
  }, { host: '', user: 'system:anonymous', sourceAddress: '203.0.113.9' }],
  ['Okta', {
    eventType: 'user.session.start', published: '2026-11-20T10:00:00Z', actor: { alternateId: 'alice@corp.example', displayName: 'Alice' },
    client: { ipAddress: '203.0.113.9' },
  }, { user: 'alice@corp.example', sourceAddress: '203.0.113.9' }],
  ['short names', { host: 'ws-1', user: 'alice', process_name: 'x.exe', command_line: 'x /y', src_ip: '192.0.2.7' },
    { host: 'ws-1', user: 'alice', process: 'x.exe', commandLine: 'x /y', sourceAddress: '192.0.2.7' }],
  ['names that belong to everything', JSON.parse('{"__proto__":{"host":"a"},"constructor":"b","host":{"toString":1}}') as EventObject,
    { host: '', user: '' }],
])('%s', ([, event, read]) => {
  expect(readPrimaryObservables(normalizeEvent(event, 'auto'))).toMatchObject(read)
})

test('every value of a kind, each field and list entry', () => {
  const event = { 'source.ip': '192.0.2.1', destination: { ip: ['192.0.2.2', '192.0.2.3'] }, src_ip: '-' }
  expect(listObservables(normalizeEvent(event, 'auto'), 'address')).toEqual(expect.arrayContaining(['192.0.2.1', '192.0.2.2', '192.0.2.3']))
})
