import { describe, expect, test } from 'vitest'
import type { EventObject } from '../event/event.ts'
import { limits } from '../limits.ts'
import { expectProcessorTime, getThreadCpuMs } from '../../test/processor-time.ts'
import { addElements } from './event-data.ts'
import type { TextKey } from './event-data.ts'
import { createFields } from './windows-fields.ts'

function elementsOf(root: EventObject, textKey: TextKey = '#text'): object {
  const fields = createFields()
  addElements(fields, root, textKey)
  return { ...fields }
}

test.for<[title: string, root: EventObject, fields: object]>([
  ['fields by their names', { Image: 'a.exe', User: 'bob' }, { Image: 'a.exe', User: 'bob' }],
  ['values as text', { Size: 12, IsOld: false }, { Size: '12', IsOld: 'false' }],
  ['an empty element as empty text', { BackupPath: null }, { BackupPath: '' }],
  ['names without spaces', { 'Threat Name': 'Eicar', 'New  Value': '1' }, { ThreatName: 'Eicar', NewValue: '1' }],
  ['names of the header with a prefix', { Channel: 'System', Version: '6' },
    { EventData_Channel: 'System', EventData_Version: '6' }],
  ['unnamed data', { Data: 'WORKGROUP' }, { Data: 'WORKGROUP' }],
  ['a list of unnamed data', { Data: { '#text': ['a', '', 'c'] } }, { Data: ['a', '', 'c'] }],
  ['data named by an attribute', { Data: [{ '#attributes': { Name: 'Image' }, '#text': 'a.exe' }] },
    { Image: 'a.exe' }],
  ['data named by a marked attribute', { Data: [{ '@Name': 'Image', '#text': 'a.exe' }, { '@Name': 'User' }] },
    { Image: 'a.exe', User: '' }],
  ['a name that comes again as a list',
    { Data: [{ '@Name': 'Sid', '#text': '1' }, { '@Name': 'Sid', '#text': '2' }] },
    { Sid: ['1', '2'] }],
  ['leaves of nested elements', { EventXML: { Param1: 'a', Inner: { Param2: 'b' } } }, { Param1: 'a', Param2: 'b' }],
  ['attributes of an empty leaf', { Start: { Aux: { '#attributes': { ProcessName: 'a.exe', xmlns: 'x' } } } },
    { Aux_ProcessName: 'a.exe' }],
  ['a leaf with text, not its attributes', { Result: { '#attributes': { value: '5' }, '#text': 'failed' } },
    { Result: 'failed' }],
  ['nothing of namespaces', { EventXML: { xmlns: 'Event_NS', 'xmlns:auto-ns2': 'x', Param1: 'a' } }, { Param1: 'a' }],
  ['names that objects inherit', JSON.parse('{"__proto__": "a", "constructor": "b"}'),
    JSON.parse('{"__proto__": "a", "constructor": "b"}')],
])('reads %s', ([, root, fields]) => {
  expect(elementsOf(root)).toEqual(fields)
})

test('reads attributes that look like elements', () => {
  const root = { Data: [{ text: 'a.exe', Name: 'Image' }, { Name: 'User' }, 'plain'], Binary: '00' }
  expect(elementsOf(root, 'text')).toEqual({ Image: 'a.exe', User: '', Data: 'plain', Binary: '00' })
})

describe('ends', () => {
  test('at elements beyond the maximum depth', () => {
    let nested: EventObject = { deep: 'x' }
    for (let i = 0; i < limits.eventDataDepthMax; i++) nested = { Inner: nested, [`At${i}`]: 'x' }
    expect(Object.keys(elementsOf(nested))).toHaveLength(limits.eventDataDepthMax)
  })

  test('in a cyclic array', () => {
    let nested: unknown = 'x'
    for (let i = 0; i < 100_000; i++) nested = [nested]
    expect(elementsOf({ Data: nested })).toEqual({})
  })

  test('in a cyclic element', () => {
    const loop: { [name: string]: unknown } = { Name: 'x' }
    loop['Again'] = [loop, loop, loop]
    const startedMs = getThreadCpuMs()
    expect(Object.keys(elementsOf({ loop }))).toEqual(['Name'])
    expectProcessorTime(getThreadCpuMs() - startedMs, 2_000)
  })

  test('after the maximum number of elements', () => {
    const many = Array.from({ length: limits.eventDataElementsMax + 5 }, () => 'x')
    expect(elementsOf({ Data: many })).toHaveProperty('Data.length', limits.eventDataElementsMax - 1)
  })
})
