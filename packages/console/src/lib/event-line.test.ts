import { expect, test } from 'vitest'
import { printEventLine } from './event-line.ts'

type Row = readonly [title: string, event: { readonly message?: string; readonly fields: object }, line: string, found?: { readonly [path: string]: string }]

test.for<Row>([
  ['its message', { message: 'logged in', fields: { a: 1 } }, 'logged in'],
  ['its values, without times and what the server adds', { fields: { '@timestamp': 1, _logsource: {}, a: 1, b: ['x'] } }, 'a=1 b=["x"]'],
  [
    'what happened, before what records have in their header',
    { fields: { EventID: 1, Channel: 'Sysmon', Keywords: '0x8', Level: 4, ProcessGuid: '{1}', Computer: 'ws-1', Company: 'X', CommandLine: 'whoami /all' } },
    'EventID=1 CommandLine=whoami /all Channel=Sysmon Company=X',
  ],
  [
    'records as XML',
    { fields: { Event: { '#attributes': { xmlns: 'x' }, System: { EventID: { '#text': 7045, '#attributes': {} }, Task: 0, Computer: 'ws-1' }, EventData: { ServiceName: 'spooler' } } } },
    'EventID=7045 ServiceName=spooler Computer=ws-1',
  ],
  [
    'records of Winlogbeat',
    { fields: { agent: { name: 'x' }, host: { name: 'ws-1' }, winlog: { event_id: 1, task: 'x', event_data: { Image: 'a.exe', User: 'ann' } } } },
    'event_id=1 Image=a.exe User=ann',
  ],
  ['empty values say nothing', { fields: { a: '', b: null, c: 0, d: false, e: '-' } }, 'c=0 d=false'],
  ['long values are cut', { fields: { a: 'x'.repeat(201), b: 1 } }, `a=${'x'.repeat(200)}… b=1`],
  ['what was looked for comes first', { fields: { EventID: 1, x: { y: 'mimikatz' } } }, 'y=mimikatz EventID=1', { 'x.y': 'Mimi' }],
  ['but not the host, which has a column', { fields: { EventID: 1, Computer: 'ws-1' } }, 'EventID=1', { Computer: 'ws-1' }],
  ['before a message too', { message: 'Process Create', fields: { message: 'Process Create', a: 'mimikatz' } }, 'a=mimikatz Process Create', { a: 'mimi', message: 'Process' }],
  [
    'of a long value the part around what was found',
    { fields: { a: `${'x'.repeat(500)}mimikatz${'y'.repeat(500)}` } }, `a=…${'x'.repeat(20)}mimikatz${'y'.repeat(172)}…`, { a: 'mimikatz' },
  ],
])('%s', ([, { message = '', fields }, line, found]) => {
  expect(printEventLine({ message, fields: fields as { readonly [name: string]: unknown } }, new Map(Object.entries(found ?? {})))).toBe(line)
})
