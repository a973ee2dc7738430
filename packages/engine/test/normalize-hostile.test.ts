import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EventObject } from '../src/event/event.ts'
import { normalizeEvent } from '../src/taxonomy/normalize.ts'
import { expectProcessorTime, getThreadCpuMs } from './processor-time.ts'

/** Keys that a shape or product reads, so that random events resemble real ones. */
const keys = [
  'EventID', 'Channel', 'Provider_Name', 'SourceName', 'EventType', 'Message', 'Event', 'System', 'EventData',
  'UserData', 'Data', 'Provider', 'Name', '#text', '#attributes', '@Name', 'text', 'winlog', 'channel', 'event_data',
  'user_data', 'param1', 'keywords', 'log_name', 'event_id', 'event', 'category', 'type', 'host', 'os', 'process',
  'exec', 'args', 'mach_time', 'schema_version', '_logsource', 'product', 'protoPayload', '@type', '_path', 'ts',
  'program', 'message', '__proto__', 'constructor', 'toString', 'a b', '', 'Image',
]
const texts = [
  'Microsoft-Windows-Sysmon/Operational', 'Microsoft-Windows-Sysmon', 'Security', '4688', '1', 'INFO', 'windows',
  'sshd',
]

const { event } = fc.letrec<{ event: EventObject; value: unknown }>((tie) => ({
  event: fc.array(fc.tuple(fc.constantFrom(...keys), tie('value')), { maxLength: 8 }).map(Object.fromEntries),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...texts),
    fc.jsonValue(),
    tie('event'),
    fc.array(tie('value'), { maxLength: 4 }),
  ),
}))

const prototypeNameCount = Object.getOwnPropertyNames(Object.prototype).length

test('normalizes random events deterministically, without errors or changes', () => {
  fc.assert(fc.property(event, fc.constantFrom('auto' as const, 'none' as const), (random, taxonomy) => {
    const text = JSON.stringify(random)
    const first = normalizeEvent(random, taxonomy)
    const second = normalizeEvent(JSON.parse(text), taxonomy)
    expect(second.logsources).toBe(first.logsources)
    expect(second.aliases).toBe(first.aliases)
    expect(second.ignoresNameCase).toBe(first.ignoresNameCase)
    expect(JSON.stringify(second.fields)).toBe(JSON.stringify(first.fields))
    expect(JSON.stringify(random)).toBe(text)
    expect(Object.getOwnPropertyNames(Object.prototype)).toHaveLength(prototypeNameCount)
  }), { numRuns: 5_000, seed: 20_261_120 })
})

test.for<[title: string, text: string]>([
  ['a flat event', '{"EventID":1,"Channel":"Security","a b":1,"__proto__":{"Image":"x"}}'],
  ['data', '{"winlog":{"channel":"Security","event_data":{"__proto__":"x"}}}'],
  ['what stands beside the event', '{"winlog":{"channel":"Security"},"__proto__":{"Image":"x"}}'],
  ['an attribute', '{"System":{"EventID":1,"Provider":{"@Name":"a"}},"EventData":{"Data":[{"@Name":"__proto__"}]}}'],
])('__proto__ in %s is an ordinary field', ([, text]) => {
  const { fields } = normalizeEvent(JSON.parse(text), 'auto')
  expect(Object.keys(fields)).toContain('__proto__')
  expect(Reflect.has(fields, 'Image')).toBe(false)
})

const header = { EventID: 1, Provider: { Name: 'x' } }

test.for<[title: string, event: EventObject]>([
  ['data nested deeply', { Event: { System: header, EventData: nested(200_000), UserData: nested(200_000) } }],
  ['a header nested deeply', { Event: { System: { EventID: nested(200_000), Provider: nested(200_000) } } }],
  ['many names with blanks', { EventID: 1, Channel: 'Security', ...numbered(200_000) }],
  ['many numbered values', { winlog: { channel: 'Security', event_data: numbered(200_000) } }],
  ['many values of one name', { winlog: { channel: 'Security', event_data: { Data: Array(1_000_000).fill('x') } } }],
  ['long texts', { EventID: '1'.repeat(5_000_000), Channel: 'x'.repeat(5_000_000), SourceName: ' '.repeat(5_000_000) }],
  ['many declared logsources', { _logsource: Array(1_000_000).fill({ product: 'windows' }) }],
  ['many words', { mach_time: 1, schema_version: 1, event: { exec: { args: Array(1_000_000).fill('x') } } }],
])('%s take little time', ([, hostile]) => {
  const startedMs = getThreadCpuMs()
  normalizeEvent(hostile, 'auto')
  expectProcessorTime(getThreadCpuMs() - startedMs, 1_000)
})

function nested(depth: number): EventObject {
  let object: EventObject = { Image: 'x' }
  for (let i = 0; i < depth; i++) object = { Inner: object }
  return object
}

/** Fields `param 1`, `param 2` ... */
function numbered(count: number): EventObject {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`param ${i + 1}`, 'x']))
}
