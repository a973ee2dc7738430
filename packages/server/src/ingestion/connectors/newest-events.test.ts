import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { NewestEvents } from './newest-events.ts'

const create = (connectorId: string, text: string, occurredAt = 1_000) => ({
  bytes: Buffer.from(text), occurredAt, arrival: { offset: 1, receivedAt: 1_000, connectorId },
})
const show = (events: NewestEvents, tenant: string, connectorId: string): string[] =>
  events.get(tenant, connectorId).map(({ bytes }) => Buffer.from(bytes).toString())

test('the newest events of each connector are held for minutes, and those of a tenant forgotten', () => {
  let now = 1_000
  const events = new NewestEvents({ now: () => now })
  events.add('acme', [create('a', '1'), create('a', '2'), create('b', '3')])
  events.add('acme', [create('a', '4'), create('a', '5')])
  events.add('globex', [create('a', '6'), create('a', '7'.repeat(limits.connector.sampleEventBytesMax + 1))])
  expect([show(events, 'acme', 'a'), show(events, 'acme', 'b'), show(events, 'globex', 'a')]).toEqual([['5', '4', '2'], ['3'], ['6']])
  events.forget('acme')
  expect([show(events, 'acme', 'a'), show(events, 'acme', 'b'), show(events, 'globex', 'a')]).toEqual([[], [], ['6']])
  now += limits.connector.sampledForMs
  expect(show(events, 'globex', 'a')).toEqual([])
})

test.for<[title: string, occurredAt: readonly number[], delayMs: number | undefined]>([
  ['no event', [], undefined],
  ['the newest that arrived', [100, 400], 600],
  ['one that is said to be of later', [100, 5_000], 0],
  ['one without a time of its own, which has that of its arrival', [100, 1_000], undefined],
])('the delay on arrival is that of %s', ([, times, delayMs]) => {
  let now = 1_000
  const events = new NewestEvents({ now: () => now })
  for (const occurredAt of times) events.add('acme', [create('a', 'x', occurredAt), create('b', 'x', 1)])
  expect([events.getDelayMs('acme', 'a'), events.getDelayMs('globex', 'a')]).toEqual([delayMs, undefined])
  now += limits.connector.sampledForMs
  expect(events.getDelayMs('acme', 'a')).toBe(undefined)
})
