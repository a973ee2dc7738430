import { describe, expect, test } from 'vitest'
import type { EventObject, NormalizedEvent } from '../event/event.ts'
import { lookUp } from '../event/value.ts'
import { normalizeEvent } from './normalize.ts'

const sysmon = 'Microsoft-Windows-Sysmon/Operational'
const flat: EventObject = {
  EventID: 1, Channel: sysmon, Provider_Name: 'Microsoft-Windows-Sysmon', Computer: 'pc1', Image: 'C:\\a.exe',
}
const process = [{ category: 'process_creation', product: 'windows', service: 'sysmon' }]

/** The same event as each collector writes it, and what of it is not in the flat one. */
const shapes: [shape: string, event: EventObject, more: EventObject][] = [
  ['flat', flat, {}],
  ['evtx_dump', {
    Event: {
      '#attributes': { xmlns: 'http://schemas.microsoft.com/win/2004/08/events/event' },
      'System': {
        Provider: { '#attributes': { Name: 'Microsoft-Windows-Sysmon', Guid: '{5770385F}' } },
        EventID: { '#attributes': { Qualifiers: '0' }, '#text': '1' },
        Version: 5,
        Level: 4,
        Task: 1,
        Opcode: 0,
        Keywords: '0x8000000000000000',
        TimeCreated: { '#attributes': { SystemTime: '2025-12-06T21:11:02.649150800Z' } },
        EventRecordID: 67583,
        Correlation: null,
        Execution: { '#attributes': { ProcessID: 3904, ThreadID: 4272 } },
        Channel: sysmon,
        Computer: 'pc1',
        Security: { '#attributes': { UserID: 'S-1-5-18' } },
      },
      'EventData': { Image: 'C:\\a.exe' },
    },
  }, {
    '@timestamp': '2025-12-06T21:11:02.649Z',
    'EventRecordID': 67583,
    'Level': 4,
    'Task': 1,
    'Opcode': 0,
    'Version': 5,
    'Keywords': '0x8000000000000000',
    'Execution_ProcessID': 3904,
    'Execution_ThreadID': 4272,
    'Security_UserID': 'S-1-5-18',
  }],
  ['plain attributes', {
    Event: {
      System: {
        Provider: { Name: 'Microsoft-Windows-Sysmon' },
        EventID: { Qualifiers: '0', text: '1' },
        Level: '4',
        TimeCreated: { SystemTime: '2025-12-06T21:11:02Z' },
        Channel: sysmon,
        Computer: 'pc1',
        Security: '',
      },
      EventData: { Data: [{ text: 'C:\\a.exe', Name: 'Image' }, { Name: 'RuleName' }] },
    },
    host: 'collector1',
  }, { '@timestamp': '2025-12-06T21:11:02.000Z', 'Level': 4, 'RuleName': '', 'host': 'collector1' }],
  ['marked attributes', {
    Event: {
      System: {
        Provider: { '@Name': 'Microsoft-Windows-Sysmon' }, EventID: '1', Channel: sysmon, Computer: 'pc1',
        Execution: { '@ProcessID': '3904' },
      },
      EventData: { Data: [{ '@Name': 'Image', '#text': 'C:\\a.exe' }] },
    },
  }, { Execution_ProcessID: 3904 }],
  ['without its root', {
    System: { Provider: { Name: 'Microsoft-Windows-Sysmon' }, EventID: { Value: 1 }, Channel: sysmon, Computer: 'pc1' },
    EventData: { Image: 'C:\\a.exe' },
    Message: 'Process Create',
  }, { Message: 'Process Create' }],
  ['NXLog', {
    EventID: 1, Channel: sysmon, SourceName: 'Microsoft-Windows-Sysmon', Hostname: 'pc1', RecordNumber: 7, Task: 1,
    EventType: 'INFO', Opcode: 'Info', OpcodeValue: 0, Keywords: -9223372036854775808, ExecutionProcessID: 3904,
    ThreadID: 4272, UserID: 'S-1-5-18', Image: 'C:\\a.exe', _logsource: null,
  }, {
    EventRecordID: 7, Task: 1, Opcode: 0, Keywords: '0x8000000000000000', Execution_ProcessID: 3904,
    Execution_ThreadID: 4272, Security_UserID: 'S-1-5-18',
    SourceName: 'Microsoft-Windows-Sysmon', Hostname: 'pc1', RecordNumber: 7, OpcodeValue: 0, ExecutionProcessID: 3904,
    ThreadID: 4272, UserID: 'S-1-5-18',
  }],
  ['Export-WinEvents', {
    EventID: 1, Channel: sysmon, SourceName: 'Microsoft-Windows-Sysmon', Hostname: 'pc1', Level: '4', Task: '1',
    Keywords: '0x8000000000000000', TimeCreated: '2021-03-14T01:40:16.893Z', Image: 'C:\\a.exe',
  }, {
    '@timestamp': '2021-03-14T01:40:16.893Z', 'Level': 4, 'Task': 1, 'Keywords': '0x8000000000000000',
    'SourceName': 'Microsoft-Windows-Sysmon', 'Hostname': 'pc1', 'TimeCreated': '2021-03-14T01:40:16.893Z',
  }],
  ['Winlogbeat 6', {
    '@timestamp': '2019-05-18T20:43:40.943Z', 'event_id': 1, 'log_name': sysmon, 'computer_name': 'pc1',
    'source_name': 'Microsoft-Windows-Sysmon', 'record_number': '92892', 'process_id': 3904, 'thread_id': 4272,
    'level': 'Information', 'user': { identifier: 'S-1-5-18' }, 'event_data': { Image: 'C:\\a.exe' },
  }, {
    '@timestamp': '2019-05-18T20:43:40.943Z', 'EventRecordID': 92892, 'Level': 4, 'Execution_ProcessID': 3904,
    'Execution_ThreadID': 4272, 'Security_UserID': 'S-1-5-18',
    'event_id': 1, 'log_name': sysmon, 'computer_name': 'pc1', 'source_name': 'Microsoft-Windows-Sysmon',
    'record_number': '92892', 'process_id': 3904, 'thread_id': 4272, 'level': 'Information',
    'user': { identifier: 'S-1-5-18' }, 'event_data': { Image: 'C:\\a.exe' },
  }],
  ['Winlogbeat 8', {
    winlog: {
      channel: sysmon, event_id: '1', provider_name: 'Microsoft-Windows-Sysmon', computer_name: 'pc1',
      process: { pid: 3904, thread: { id: null } }, event_data: { Image: 'C:\\a.exe' },
    },
    event: { code: '1' },
  }, {
    Execution_ProcessID: 3904,
    event: { code: '1' },
    winlog: {
      channel: sysmon, event_id: '1', provider_name: 'Microsoft-Windows-Sysmon', computer_name: 'pc1',
      process: { pid: 3904, thread: { id: null } }, event_data: { Image: 'C:\\a.exe' },
    },
  }],
]

describe.for(shapes)('an event in the shape: %s', ([, event, more]) => {
  test('has the fields that rules read', () => {
    expect({ ...normalizeEvent(event, 'auto').fields }).toEqual({ ...flat, ...more })
  })

  test('has the logsource of its category', () => {
    const { logsources, ignoresNameCase } = normalizeEvent(event, 'auto')
    expect(logsources).toEqual(process)
    expect(logsources).toBe(normalizeEvent(flat, 'auto').logsources)
    expect(ignoresNameCase).toBe(true)
  })
})

describe('a flat event', () => {
  test('is not copied', () => {
    expect(normalizeEvent(flat, 'auto').fields).toBe(flat)
  })

  test('is copied without the spaces in its names', () => {
    const { fields } = normalizeEvent({ ...flat, 'Threat Name': 'Eicar', 'Old Value': '1', 'OldValue': '2' }, 'auto')
    expect({ ...fields }).toEqual({ ...flat, ThreatName: 'Eicar', OldValue: '2' })
  })
})

describe('fields that collectors lose or rename', () => {
  const nxlog = { EventID: 12, Channel: sysmon, SourceName: 'Microsoft-Windows-Sysmon' }
  const registryMessage = 'Registry object added or deleted:\r\nRuleName: -\r\nEventType: DeleteKey\r\n'
  const winlogbeat = { winlog: { channel: 'Application', event_id: 1, event_data: { param1: 'a', param2: 'b' } } }
  const user_data = { SubjectUserName: 'ann' }
  const security = { winlog: { channel: 'Security', keywords: ['Audit Failure'], user_data } }

  test.for<[title: string, event: EventObject, field: string, value: unknown]>([
    ['the EventType that NXLog keeps', { ...nxlog, EventType: 'CreateKey' }, 'EventType', 'CreateKey'],
    ['the EventType that is only in the message', { ...nxlog, EventType: 'INFO', Message: registryMessage },
      'EventType', 'DeleteKey'],
    ['the severity of NXLog, which is not an EventType', { ...nxlog, EventType: 'INFO' }, 'EventType', undefined],
    ['unnamed data only in the message', { ...nxlog, Message: 'HostName=Console' }, 'Data', 'HostName=Console'],
    ['unnamed data numbered by Winlogbeat', winlogbeat, 'Data', ['a', 'b']],
    ['one unnamed value', { winlog: { channel: 'Application', event_data: { param1: 'a' } } }, 'Data', 'a'],
    ['data of that name', { winlog: { channel: 'System', event_data: { param1: 'a', Data: 'd' } } }, 'Data', 'd'],
    ['a level by name', { ...winlogbeat, log: { level: 'warning' } }, 'Level', 3],
    ['a level with an ambiguous name', { ...security, log: { level: 'information' } }, 'Level', undefined],
    ['a mask by name', security, 'Keywords', '0x8010000000000000'],
    ['user data', security, 'SubjectUserName', 'ann'],
  ])('%s', ([, event, field, value]) => {
    expect(valueOf(normalizeEvent(event, 'auto'), field)).toEqual(value)
  })
})

describe('field aliases', () => {
  const created = {
    EventID: 4688, Channel: 'Security', NewProcessName: 'C:\\a.exe', ParentProcessName: 'C:\\b.exe', ProcessId: '0x4',
    SubjectUserName: 'ann', MandatoryLabel: 'S-1-16-12288',
  }
  const defender = { EventID: 1116, Channel: 'Microsoft-Windows-Windows Defender/Operational' }
  const ecs = { host: { name: 'pc1', os: { type: 'windows' } }, event: { category: ['process'], type: 'start' } }

  test.for<[title: string, event: EventObject, field: string, value: unknown]>([
    ['4688', created, 'Image', 'C:\\a.exe'],
    ['4688', created, 'ParentImage', 'C:\\b.exe'],
    ['4688', created, 'ParentProcessId', '0x4'],
    ['4688', created, 'User', 'ann'],
    ['4688', created, 'IntegrityLevel', 'S-1-16-12288'],
    ['4688 with its own name', { ...created, Image: 'own' }, 'Image', 'own'],
    ['4688 of Winlogbeat', { winlog: { channel: 'Security', event_id: 4688, event_data: created } },
      'Image', 'C:\\a.exe'],
    ['4689', { ...created, EventID: 4689 }, 'Image', undefined],
    ['Defender', { ...defender, 'Threat Name': 'Eicar' }, 'Signature', 'Eicar'],
    ['Defender', { ...defender, Path: 'C:\\a.exe' }, 'Filename', 'C:\\a.exe'],
    ['RPC Firewall', { EventID: 3, Channel: 'RPCFW' }, 'EventLog', 'RPCFW'],
    ['ECS', { ...ecs, process: { executable: 'C:\\a.exe' } }, 'Image', 'C:\\a.exe'],
    ['ECS', { ...ecs, process: { parent: { command_line: 'b -c' } } }, 'ParentCommandLine', 'b -c'],
    ['ECS', { ...ecs, user: { name: 'ann' } }, 'User', 'ann'],
    ['ECS', { ...ecs, registry: { path: 'HKLM\\a' } }, 'TargetObject', 'HKLM\\a'],
    ['ECS', { ...ecs, dns: { question: { name: 'example.org' } } }, 'QueryName', 'example.org'],
    ['ECS', ecs, 'Image', undefined],
    ['ECS beside Winlogbeat', { winlog: { channel: sysmon }, process: { executable: 'a.exe' } }, 'Image', 'a.exe'],
    ['the path of Winlogbeat', { winlog: { channel: sysmon, event_data: { Image: 'a.exe' } } },
      'winlog.event_data.Image', 'a.exe'],
    ['dotted ECS', { 'process.executable': 'C:\\a.exe' }, 'Image', 'C:\\a.exe'],
    ['short names', { process_name: 'a.exe', host: 'pc1' }, 'Image', 'a.exe'],
    ['short names', { command_line: 'a -b', host: 'pc1' }, 'CommandLine', 'a -b'],
    ['short names', { user: 'ann', host: 'pc1' }, 'Computer', 'pc1'],
    ['short names', { user: 'ann', host: 'pc1' }, 'User', 'ann'],
    ['short names', { parent_process_name: 'b.exe' }, 'ParentImage', 'b.exe'],
    ['short names', { parent_command_line: 'b -c' }, 'ParentCommandLine', 'b -c'],
  ])('%s', ([, event, field, value]) => {
    expect(valueOf(normalizeEvent(event, 'auto'), field)).toEqual(value)
  })

  test('are the same map for the same kind of event', () => {
    const other = { ...created, NewProcessName: 'C:\\c.exe' }
    expect(normalizeEvent(created, 'auto').aliases).toBe(normalizeEvent(other, 'auto').aliases)
  })
})

describe('an event in the Elastic Common Schema', () => {
  test.for<[event: object, system: string, logsource: object | undefined]>([
    [{ category: ['process'], type: ['start'] }, 'windows', { category: 'process_creation', product: 'windows' }],
    [{ category: 'network', type: ['connection', 'start'] }, 'linux',
      { category: 'network_connection', product: 'linux' }],
    [{ category: ['file'], type: ['creation'] }, 'macos', { category: 'file_event', product: 'macos' }],
    [{ category: ['process'], type: ['info'] }, 'windows', undefined],
    [{ category: ['process'], type: ['start'] }, 'android', undefined],
    [{ category: 7, type: {} }, 'windows', undefined],
  ])('%j of %s is %j', ([event, system, logsource]) => {
    const { logsources } = normalizeEvent({ event, host: { os: { type: system } } }, 'auto')
    expect(logsources).toEqual(logsource === undefined ? [] : [logsource])
  })
})

describe('a declared logsource', () => {
  const declared = { category: 'file_event', product: 'windows' }

  test.for<[title: string, event: EventObject, expected: Partial<NormalizedEvent>]>([
    ['replaces the recognized logsource', { ...flat, _logsource: declared },
      { logsources: [declared], ignoresNameCase: true }],
    ['of Windows makes names case-insensitive', { _logsource: declared },
      { logsources: [declared], ignoresNameCase: true }],
    ['of Windows removes spaces from names', { '_logsource': declared, 'Threat Name': 'Eicar' },
      { fields: { _logsource: declared, ThreatName: 'Eicar' } }],
    ['of another product does not', { _logsource: { product: 'zeek' } },
      { logsources: [{ product: 'zeek' }], ignoresNameCase: false }],
    ['without any key does not count', { ...flat, _logsource: { product: 7 } },
      { logsources: process, ignoresNameCase: true }],
  ])('%s', ([, event, expected]) => {
    expect(normalizeEvent(event, 'auto')).toMatchObject(expected)
  })

  test('keeps the field names of the shape', () => {
    const event = { ...shapes[1]?.[1], _logsource: declared }
    expect(normalizeEvent(event, 'auto').fields).toMatchObject({ Image: 'C:\\a.exe' })
  })
})

describe('without a taxonomy', () => {
  test.for(shapes)('does not map %s', ([, event]) => {
    const normalized = normalizeEvent(event, 'none')
    expect(normalized.fields).toBe(event)
    expect(normalized).toMatchObject({ logsources: [], ignoresNameCase: false })
    expect(normalized.aliases.size).toBe(0)
  })

  test('reads a declared logsource', () => {
    const { logsources } = normalizeEvent({ ...flat, _logsource: { product: 'Linux' } }, 'none')
    expect(logsources).toEqual([{ product: 'linux' }])
  })
})

/** The value that rules see under a name: the field, or the first of its other names that is there. */
function valueOf({ fields, aliases }: NormalizedEvent, name: string): unknown {
  const names = [name, ...(aliases.get(name) ?? [])]
  return names.map((each) => lookUp(fields, each)).find((value) => value !== undefined)
}
