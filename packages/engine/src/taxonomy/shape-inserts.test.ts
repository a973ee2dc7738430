import { expect, test } from 'vitest'
import type { EventObject } from '../event/event.ts'
import { normalizeEvent } from './normalize.ts'

const security = { ProviderName: 'Microsoft-Windows-Security-Auditing', Channel: 'Security', Computer: 'pc-1' }
const subject = ['S-1-5-18', 'PC-1$', 'CORP', '0x3e7']
const named = { SubjectUserSid: 'S-1-5-18', SubjectUserName: 'PC-1$', SubjectDomainName: 'CORP', SubjectLogonId: '0x3e7' }
const header = { Channel: 'Security', Computer: 'pc-1', Provider_Name: 'Microsoft-Windows-Security-Auditing' }

test.for<[title: string, event: EventObject, fields: EventObject]>([
  ['the names of a version with fewer data', { ...security, EventID: 4688, StringInserts: [...subject, '0x12', 'C:\\a.exe'] },
    { ...header, EventID: 4688, ...named, NewProcessId: '0x12', NewProcessName: 'C:\\a.exe' }],
  ['more data than names as Data', { ...security, EventID: 4672, StringInserts: [...subject, 'SeDebugPrivilege', 'x'] },
    { ...header, EventID: 4672, ...named, PrivilegeList: 'SeDebugPrivilege', Data: 'x' }],
  ['the data of an unknown event as Data', { ...security, EventID: 1, StringInserts: ['a', 'b'] }, { ...header, EventID: 1, Data: ['a', 'b'] }],
  ['the list of Fluentd, and its message', { ...security, EventID: '4672', EventData: subject, Description: 'Special privileges', Level: '4' },
    { ...header, EventID: 4672, Level: 4, ...named, Message: 'Special privileges' }],
  ['the message of Sysmon', {
    ProviderName: 'Microsoft-Windows-Sysmon', Channel: 'Microsoft-Windows-Sysmon/Operational', EventID: 1, ProcessID: 4, tag: 'winevt', StringInserts: ['x'],
    Message: 'Process Create:\r\nRuleName: -\r\nCommandLine: a: b\r\nHashes:\r\n',
  }, {
    Provider_Name: 'Microsoft-Windows-Sysmon', Channel: 'Microsoft-Windows-Sysmon/Operational', EventID: 1, Execution_ProcessID: 4, tag: 'winevt',
    RuleName: '-', CommandLine: 'a: b', Hashes: '', Message: 'Process Create:\r\nRuleName: -\r\nCommandLine: a: b\r\nHashes:\r\n',
  }],
])('has %s', ([, event, fields]) => {
  expect({ ...normalizeEvent(event, 'auto').fields }).toEqual(fields)
})

test('an event whose data has a name of its own is read as before', () => {
  const event = { ...security, Provider_Name: 'Microsoft-Windows-WMI-Activity', EventID: 5857, StringInserts: 'x' }
  expect(normalizeEvent(event, 'auto').fields).toBe(event)
})
