import { describe, expect, test } from 'vitest'
import { printLogsources } from '../../../test/print-logsources.ts'
import type { EventObject } from '../../event/event.ts'
import { detectProduct } from './detect-product.ts'
import { products } from './products.ts'

function logsourcesOf(event: EventObject): string | undefined {
  const logsources = detectProduct(event)?.logsources
  return logsources === undefined ? undefined : printLogsources(logsources)
}

const auditLog = 'type.googleapis.com/google.cloud.audit.AuditLog'
const admin = 'admin.googleapis.com'

/** One event of every row of the table at least. */
const cases: [name: string, event: EventObject, logsources: string][] = [
  ['AWS CloudTrail', { eventSource: 'iam.amazonaws.com', eventName: 'CreateUser' }, 'aws::cloudtrail'],
  ['Zeek', { _path: 'dce_rpc', ts: 1.5 }, 'zeek::dce_rpc'],
  ['Zeek', { _path: 'dns', ts: 1.5, query: 'a.example' }, 'zeek::dns :dns:'],
  ['Zeek', { _path: 'a_log_of_a_plugin', ts: '2024-01-01T00:00:00Z' }, 'zeek::'],
  ['Google Cloud audit log', { protoPayload: { '@type': auditLog } }, 'gcp::gcp.audit'],
  ['Google Cloud audit log', { protoPayload: { '@type': auditLog, serviceName: admin } },
    'gcp::gcp.audit gcp::google_workspace.admin'],
  ['Google Cloud audit log without its type',
    { protoPayload: { methodName: 'storage.buckets.delete', serviceName: 'storage.googleapis.com' } },
    'gcp::gcp.audit'],
  ['Google Workspace activity', { kind: 'admin#reports#activity', id: { applicationName: 'login' } },
    'gcp::google_workspace.login'],
  ['Azure in Log Analytics', { Type: 'SigninLogs', TenantId: 't', ResultType: '50126' }, 'azure::signinlogs'],
  ['Microsoft Entra ID, exported', { category: 'AuditLogs', operationName: 'Add user', properties: {} },
    'azure::auditlogs'],
  ['Microsoft Entra ID sign-in of Graph',
    { createdDateTime: '2026-11-20T10:00:00Z', appId: 'a', userPrincipalName: 'ann@example.org', status: { errorCode: 50126 } },
    'azure::signinlogs'],
  ['Microsoft Entra ID audit of Graph',
    { activityDateTime: '2026-11-20T10:00:00Z', activityDisplayName: 'Add user', category: 'UserManagement', targetResources: [] },
    'azure::auditlogs'],
  ['Azure activity log, exported',
    { category: 'Administrative', operationName: 'A/B/write', resourceId: '/SUBSCRIPTIONS/1' },
    'azure::activitylogs'],
  ['Azure activity log of the REST API',
    { category: { value: 'Administrative', localizedValue: 'Administrative' }, operationName: { value: 'A/B/write', localizedValue: 'Write B' } },
    'azure::activitylogs'],
  ['Microsoft Entra ID risk detection', { riskEventType: 'unlikelyTravel' }, 'azure::riskdetection azure::pim'],
  ['Microsoft 365 audit log', { Workload: 'Exchange', Operation: 'Set-Mailbox', RecordType: 1 }, 'm365::audit'],
  ['Microsoft 365 security and compliance alert',
    { eventSource: 'SecurityComplianceCenter', eventName: 'Data exfiltration' },
    'm365::threat_management m365::threat_detection'],
  ['Okta', { eventType: 'user.session.start', published: '2024-01-01T00:00:00Z', actor: { id: 'a' } }, 'okta::okta'],
  ['Okta without its time', { eventType: 'user.session.start', legacyEventType: 'core.user_auth' }, 'okta::okta'],
  ['GitHub audit log', { action: 'repo.create', actor: 'octocat', org: 'octo' }, 'github::audit'],
  ['Kubernetes audit log', { kind: 'Event', apiVersion: 'audit.k8s.io/v1' }, 'kubernetes:application:audit'],
  ['Kubernetes audit log without its version', { kind: 'Event', verb: 'get', objectRef: { resource: 'secrets' } },
    'kubernetes:application:audit'],
  ['OneLogin', { event_type_id: 5, actor_user_id: 7 }, 'onelogin::onelogin.events'],
  ['OpenCanary', { logtype: 4000, node_id: 'n', logdata: {} }, 'opencanary:application:'],
  ['FortiGate event log', { devid: 'FGT60D', logid: '0100032003', type: 'event' }, 'fortigate::event'],
  ['macOS Endpoint Security exec', { mach_time: 1, schema_version: 1, event: { exec: {} } }, 'macos:process_creation:'],
  ['macOS Endpoint Security create', { mach_time: 1, schema_version: 1, event: { create: {} } }, 'macos:file_event:'],
  ['macOS Endpoint Security rename', { mach_time: 1, schema_version: 1, event: { rename: {} } }, 'macos:file_rename:'],
  ['macOS Endpoint Security unlink', { mach_time: 1, schema_version: 1, event: { unlink: {} } }, 'macos:file_delete:'],
  ['macOS Endpoint Security', { mach_time: 1, schema_version: 1, event: { signal: {} } }, 'macos::'],
  ['Linux audit record', { type: 'EXECVE', a0: 'id' }, 'linux::auditd'],
  ['Linux audit record', { type: ['SYSCALL', 'EXECVE'], a0: 'id' }, 'linux::auditd'],
  ['Linux program in program', { program: 'sshd', message: 'Invalid user' }, 'linux::sshd'],
  ['Linux program in log.syslog.appname', { log: { syslog: { appname: 'sshd' } }, message: 'Failed password' }, 'linux::sshd'],
  ['Linux program in programname', { programname: 'sudo', msg: 'COMMAND=/bin/sh' }, 'linux::sudo'],
  ['Linux program in SYSLOG_IDENTIFIER', { SYSLOG_IDENTIFIER: 'CRON', MESSAGE: '(root) CMD' }, 'linux::cron'],
  ['Suricata DNS', { event_type: 'dns', dns: { type: 'query', rrname: 'evil.example' } }, ':dns: suricata::dns'],
  ['Suricata HTTP', { event_type: 'http', flow_id: 1, http: { hostname: 'a.example', url: '/x' } }, ':proxy: suricata::http'],
  ['Suricata alert', { event_type: 'alert', alert: { signature: 'ET SCAN' } }, 'suricata::alert'],
  ['OCSF process launch', { class_uid: 1007, activity_id: 1, process: {}, device: { os: { name: 'Linux' } } }, 'linux:process_creation:'],
  ['OCSF DNS activity', { class_uid: 4003, query: { hostname: 'a.example' } }, ':dns:'],
  ['CEF of a proxy', { cef: { extensions: { request: 'http://a', requestMethod: 'GET', dst: '1', dpt: '1' } } }, ':proxy:'],
  ['CEF of a firewall', { cef: { extensions: { dst: '10.0.0.1', dpt: '22' } } }, ':firewall:'],
  ['LEEF of a proxy', { leef: { attributes: { url: 'http://a' } } }, ':proxy:'],
  ['LEEF of a firewall', { leef: { attributes: { dst: '10.0.0.1', dstPort: '22' } } }, ':firewall:'],
  ['web proxy', { 'c-uri': 'http://example.org/', 'cs-method': 'GET', 'cs-uri-stem': '/' }, ':proxy:'],
  ['web server', { 'cs-method': 'GET', 'cs-uri-stem': '/' }, ':webserver:'],
]

test.for(cases)('detects %s from %j', ([name, event, logsources]) => {
  expect(detectProduct(event)?.name).toBe(name)
  expect(logsourcesOf(event)).toBe(logsources)
})

test('every product of the table has a case', () => {
  expect(new Set(cases.map(([name]) => name))).toEqual(new Set(products.map(({ name }) => name)))
})

test('returns the same array for equal logsources', () => {
  for (const [, event] of cases) expect(detectProduct(event)?.logsources).toBe(detectProduct({ ...event })?.logsources)
})

test.for<[title: string, event: EventObject]>([
  ['an empty event', {}],
  ['a plain log line', { message: 'started', level: 'info' }],
  ['an event source of another vendor', { eventSource: 'billing.example.org', eventName: 'InvoicePaid' }],
  ['a path that is not a Zeek log', { _path: '/index.html' }],
  ['a request log of App Engine',
    { protoPayload: { '@type': 'type.googleapis.com/google.appengine.logging.v1.RequestLog' } }],
  ['activity of a Workspace application that no rule names',
    { kind: 'admin#reports#activity', id: { applicationName: 'drive' } }],
  ['a resource log of Azure', { category: 'kube-audit', operationName: 'A/B', resourceId: '/subscriptions/1' }],
  ['an operation that is another object', { operationName: { value: 'A/B' }, resourceId: '/subscriptions/1' }],
  ['a policy of a directory', { category: 'Policy', operationName: 'Update policy', resourceId: '/tenants/1' }],
  ['a webhook of GitHub', { action: 'created', repository: {}, sender: {} }],
  ['an action in a common area', { action: 'user.login', actor: 'bob', org: 'example' }],
  ['an action without a dot', { action: 'orgs', actor: 'bob', org: 'example' }],
  ['a Kubernetes event that is not an audit event', { kind: 'Event', apiVersion: 'v1', reason: 'Killing' }],
  ['a type like that of an audit record', { type: 'LOGIN', user: 'bob' }],
  ['a program that is not only Linux', { program: 'nginx', message: 'started' }],
  ['a program without a message', { program: 'sshd' }],
  ['values of other types',
    { eventSource: { length: 3 }, _path: 7, ts: [], program: ['sshd'], message: 'x', type: {} }],
])('detects no product in %s', ([, event]) => {
  expect(logsourcesOf(event)).toBe(undefined)
})

test('reads the objects of Azure\'s REST API as their value', () => {
  const operationName = { value: 'Microsoft.Compute/virtualMachines/delete', localizedValue: 'Delete Virtual Machine' }
  const event = {
    operationName, status: { value: 'Succeeded', localizedValue: 'Succeeded' }, subStatus: { value: '', localizedValue: '' },
    properties: { value: 'x', message: 'y' }, tags: [operationName], caller: 'alice', 'status.value': 'stated',
  }
  expect({ ...detectProduct(event)?.fields }).toEqual({
    ...event,
    operationName: operationName.value, 'operationName.value': operationName.value, 'operationName.localizedValue': operationName.localizedValue,
    status: 'Succeeded', 'status.localizedValue': 'Succeeded',
    subStatus: '', 'subStatus.value': '', 'subStatus.localizedValue': '',
  })
})

describe('adds the field names of rules to macOS Endpoint Security events', () => {
  const envelope = { mach_time: 1, schema_version: 1, process: { executable: { path: '/bin/zsh' } } }
  const made = { new_path: { dir: { path: '/Users/ann' }, filename: 'b.txt' } }

  test.for<[title: string, event: EventObject, fields: object]>([
    ['exec', {
      exec: {
        args: ['curl', '-s', 'example.org'],
        cwd: { path: '/tmp' },
        target: { executable: { path: '/usr/bin/curl' }, audit_token: { pid: 812 } },
      },
    }, {
      Image: '/usr/bin/curl',
      ParentImage: '/bin/zsh',
      CommandLine: 'curl -s example.org',
      CurrentDirectory: '/tmp',
      ProcessId: 812,
    }],
    ['create', { create: { destination: { existing_file: { path: '/a.txt' } } } },
      { Image: '/bin/zsh', TargetFilename: '/a.txt' }],
    ['rename', { rename: { destination: made } }, { Image: '/bin/zsh', TargetFilename: '/Users/ann/b.txt' }],
    ['unlink', { unlink: { target: { path: '/a.txt' } } }, { Image: '/bin/zsh', TargetFilename: '/a.txt' }],
    ['damaged', { exec: { args: 'curl', target: [] } }, { ParentImage: '/bin/zsh' }],
  ])('%s', ([, event, fields]) => {
    expect({ ...detectProduct({ ...envelope, event })?.fields }).toEqual({ ...envelope, event, ...fields })
  })

  test('but not when the event already has them', () => {
    const event = { ...envelope, event: { exec: {} }, Image: '/usr/bin/curl' }
    expect(detectProduct(event)?.fields).toBe(event)
  })
})
