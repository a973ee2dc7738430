import { expect, test } from 'vitest'
import type { EventObject } from '../event/event.ts'
import { recognizeEvent } from './recognize-event.ts'

const sysmon = 'Microsoft-Windows-Sysmon/Operational'

test.for<[row: string | undefined, event: EventObject, renamed: { readonly [field: string]: string | undefined }]>([
  ['Windows event', { Channel: sysmon, EventID: 1, Provider_Name: 'Microsoft-Windows-Sysmon', Image: 'a.exe' }, {}],
  ['Winlogbeat', {
    '@timestamp': '2026-11-20T10:00:00Z', 'winlog': {
      channel: sysmon, provider_name: 'Microsoft-Windows-Sysmon', event_id: '1', computer_name: 'pc-1', event_data: { Image: String.raw`C:\a.exe` },
    },
  }, {
    EventID: 'winlog.event_id', Channel: 'winlog.channel', Provider_Name: 'winlog.provider_name', Computer: 'winlog.computer_name',
    Image: 'winlog.event_data.Image',
  }],
  ['Windows event of Wazuh', { data: { win: {
    system: { eventID: '1', channel: sysmon, providerName: 'Microsoft-Windows-Sysmon', computer: 'pc-1' }, eventdata: { image: 'a.exe' },
  } } }, { Image: 'data.win.eventdata.image', EventID: 'data.win.system.eventID', Computer: 'data.win.system.computer' }],
  ['Windows event of NXLog or Export-WinEvents', { EventID: 1, Channel: sysmon, SourceName: 'Microsoft-Windows-Sysmon', Hostname: 'pc-1' }, {
    Provider_Name: 'SourceName', Computer: 'Hostname',
  }],
  ['Windows event converted from XML', { Event: {
    System: { Provider: { '@Name': 'Microsoft-Windows-Sysmon' }, EventID: 1, Channel: sysmon, Computer: 'pc-1' },
    EventData: { Data: [{ '@Name': 'Image', '#text': String.raw`C:\a.exe` }] },
  } }, { EventID: 'Event.System.EventID', Image: 'Event.EventData.Data.#text', Computer: 'Event.System.Computer' }],
  ['Elastic Common Schema', { event: { category: ['process'], type: ['start'] }, host: { os: { type: 'linux' } }, process: { executable: '/bin/nc', pid: 7 } }, {
    Image: 'process.executable', ProcessId: 'process.pid',
  }],
  ['CEF of a firewall', { cef: { extensions: { dst: '10.0.0.1', dpt: '22' } } }, { dst_ip: 'cef.extensions.dst', dst_port: 'cef.extensions.dpt' }],
  ['Suricata DNS', { event_type: 'dns', dns: { rrname: 'evil.example' } }, { query: 'dns.rrname' }],
  ['macOS Endpoint Security exec', {
    mach_time: 1, schema_version: 1, event: { exec: { args: ['curl', '-s'], target: { executable: { path: '/usr/bin/curl' } } } },
  }, { Image: 'event.exec.target.executable.path', CommandLine: undefined }],
  ['Linux program in program', { program: 'sshd', message: 'Failed password', host: 'db-1' }, {}],
  [undefined, { message: 'started' }, {}],
])('%s recognizes %j', ([shape, event, renamed]) => {
  const recognized = recognizeEvent(event, 'auto')
  expect(recognized.shape).toBe(shape)
  const expected = Object.entries(renamed)
  for (const [name, path] of expected) expect([name, recognized.renamed.has(name), recognized.renamed.get(name)]).toEqual([name, true, path])
  if (expected.length === 0) expect([...recognized.renamed]).toEqual([])
})

test('a log source that the event states is said to be so, and without the taxonomy nothing is recognized', () => {
  const event = { program: 'sshd', message: 'x', _logsource: { product: 'linux', service: 'auth' } }
  expect(recognizeEvent(event, 'auto')).toMatchObject({
    shape: 'Linux program in program', logsources: [{ product: 'linux', service: 'auth' }], isDeclared: true,
  })
  expect(recognizeEvent(event, 'none')).toMatchObject({ shape: undefined, logsources: [{ product: 'linux', service: 'auth' }] })
})

test('an event with more than is searched is described all the same', () => {
  const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_none, i) => [`f${i}`, [[{ i }]]]))
  expect(recognizeEvent({ ...wide, winlog: { channel: sysmon, event_id: 1 } }, 'auto').shape).toBe('Winlogbeat')
})
