import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nearlyFlatEvents } from '../../test/flat-events.ts'
import type { EventObject, NormalizedEvent } from '../event/event.ts'
import { limits } from '../limits.ts'
import { flatKindFields, normalizeFlatEvent } from '../taxonomy/flat-event-kind.ts'
import { FlatRouter } from './flat-router.ts'

const seed = 20_261_122

/** The kind that the classes of an event's fields tell. */
function routed(router: FlatRouter, event: EventObject): NormalizedEvent | undefined {
  const classes = flatKindFields.flatMap(({ name }, field) => (
    Object.hasOwn(event, name) ? [router.classify(field, event[name])] : []
  ))
  return router.findKind(classes, classes.length)
}

test(`classes tell the kind of an event, seed ${seed}`, () => {
  const router = new FlatRouter()
  let flatCount = 0
  fc.assert(fc.property(nearlyFlatEvents, (event) => {
    const kind = normalizeFlatEvent(event)
    const found = routed(router, event)
    expect(found === undefined).toBe(kind === undefined)
    expect(found?.logsources).toBe(kind?.logsources)
    expect(found?.aliases).toBe(kind?.aliases)
    expect(found?.ignoresNameCase).toBe(kind?.ignoresNameCase)
    if (kind !== undefined) flatCount++
  }), { seed, numRuns: 3_000 })
  expect(flatCount).toBeGreaterThan(500)
})

test('texts that are not read are one class, but for the empty one', () => {
  const router = new FlatRouter()
  const computer = flatKindFields.findIndex(({ name }) => name === 'Computer')
  const channel = flatKindFields.findIndex(({ name }) => name === 'Channel')
  expect(router.classify(computer, 'one')).toBe(router.classify(computer, 'another'))
  expect(router.classify(computer, '')).not.toBe(router.classify(computer, 'one'))
  expect(router.classify(channel, 'one')).not.toBe(router.classify(channel, 'another'))
  expect(router.classify(channel, 'one')).toBe(router.classify(channel, 'one'))
  expect(router.classify(channel, 1)).not.toBe(router.classify(channel, '1'))
})

test('a router is full when more values came than it remembers', () => {
  const router = new FlatRouter()
  // Class 0 is no value's.
  for (let i = 1; i < limits.routesMax; i++) router.classify(0, `channel ${i}`)
  expect(router.isFull).toBe(false)
  router.classify(0, 'one more')
  expect(router.isFull).toBe(true)
})
