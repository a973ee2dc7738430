import { expect, test } from 'vitest'
import type { EventObject } from '../event/event.ts'
import { LineWriter } from './line-writer.ts'

const event = { EventID: 1, Channel: 'Security', Image: 'cmd.exe' }

test.for<[what: string, event: EventObject, isWritten: boolean]>([
  ['a flat Windows event with a channel', event, true],
  ['one with a provider', { EventID: 1, Provider_Name: 'Service' }, true],
  ['one with scalars of every kind', { ...event, a: 1.5, b: true, c: null }, true],
  ['an event without an id', { Channel: 'Security' }, false],
  ['an event without channel and provider', { EventID: 1, Image: 'cmd.exe' }, false],
  ['an event in the shape of NXLog, which names the host', { ...event, Hostname: 'HOST-A' }, false],
  ['a nested event', { ...event, EventData: { Image: 'cmd.exe' } }, false],
  ['a number that JSON does not have', { ...event, a: Number.NaN }, false],
  ['an event that prints itself', { ...event, toJSON: () => ({}) }, false],
  ['text that is as long as it may be', { ...event, Image: 'x'.repeat(32_700) }, true],
  ['text that is too long', { ...event, Image: 'x'.repeat(32_768) }, false],
])('%s: written or refused', ([, given, isWritten]) => {
  const writer = new LineWriter()
  expect(writer.write(given, 7)).toBe(isWritten)
  expect(writer.rows).toEqual(isWritten ? [7] : [])
  expect(new TextDecoder().decode(writer.bytes)).toBe(isWritten ? `${JSON.stringify(given)}\n` : '')
})
