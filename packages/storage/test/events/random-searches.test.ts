import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Predicate } from '@tripline/engine/predicate'
import { openSegmentEventStore } from '../../src/events/segment-store.ts'
import { memoryEvents } from './memory-events.ts'
import { newEvent, queryOf } from './conformance.ts'
import { all, any, compare, exists, not, number, regex, testOf, text } from './predicates.ts'
import { SimulatedDisk } from './simulated-disk.ts'

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_121)

const keys = ['a', 'A', 'b', 'c', 'a.b', 'EventID', 'Channel', 'Image', '__proto__', 'é', '_id', 'Computer']
const someText = fc.oneof(
  fc.constantFrom('ſABC', 'abK', '1.50', '12.5', 'two\nabc', '/abc'),
  fc.constantFrom('', 'a', 'abc', 'ABC', 'xabcx', '1', ' 1.0 ', 'é', 'K', 'C:\\Windows\\cmd.exe', 'Security', 'true', '"q"', 'a\nb', '2'),
  fc.string({ unit: fc.constantFrom('a', 'B', 'c', '\\', '"', 'é', '😀', ' '), maxLength: 6 }),
)
const scalar = fc.oneof(someText, fc.constantFrom(0, 1, 2, -1.5, 1e21, 4688, true, false, null))
const value = fc.oneof(
  { weight: 6, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(fc.oneof(scalar, fc.record({ b: scalar }), fc.array(scalar, { maxLength: 2 })), { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.dictionary(fc.constantFrom('b', 'c', 'é'), scalar, { maxKeys: 2 }) },
)
const event = fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 6 })

const field = fc.constantFrom('a', 'A', 'b', 'a.b', 'a.b.c', 'c', 'EventID', 'Channel', 'Image', 'é', '_id', 'Computer', '__proto__', undefined)
const pattern = fc.oneof(
  someText.filter((one) => !/[*?]/.test(one)),
  fc.constantFrom('*', 'a*', '*c', '*abc*', '*\\cmd.exe', '*b*', '?', '*é*', '*k*', 'c:\\*', '*"*', '*\\*', '*windows*cmd*'),
  fc.constantFrom('*468*', '*.5*', '*abk*', '*sabc*', '*\nab*', '/a*c'),
)
const leaf: fc.Arbitrary<Predicate> = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(field, pattern, fc.boolean()).map(([name, one, isCased]) => text(name, one, isCased)) },
  { weight: 2, arbitrary: fc.tuple(field, fc.constantFrom(0, 1, 4688, 1e21)).map(([name, one]) => number(name, one)) },
  { weight: 1, arbitrary: fc.tuple(field, fc.constantFrom('gt', 'lte'), fc.constantFrom(0, 1, 5_000)).map(([name, how, one]) => compare(name, how, one)) },
  { weight: 1, arbitrary: fc.tuple(field, fc.boolean()).map(([name, isPresent]) => exists(name, isPresent)) },
  { weight: 1, arbitrary: field.map((name) => testOf(name, { kind: 'null' })) },
  { weight: 1, arbitrary: fc.tuple(field, fc.constantFrom('^a', 'abc|é', 'cmd')).map(([name, one]) => regex(name, one)) },
  { weight: 1, arbitrary: fc.constantFrom('a', 'b').map((name) => testOf(name, { kind: 'fieldRef', field: 'c', relation: 'equals', isCased: false })) },
  { weight: 1, arbitrary: fc.constant<Predicate>({ kind: 'elements', field: 'a', quantifier: 'any', of: text('b', 'a*') }) },
)
const predicate = fc.letrec<{ node: Predicate }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('node'), { maxLength: 3 }).map((of) => all(...of)),
    fc.array(tie('node'), { maxLength: 3 }).map((of) => any(...of)),
    tie('node').map(not),
  ),
})).node

/** Variants of how events are written: with blanks, with escapes. */
const written = fc.tuple(event, fc.constantFrom(0, 0, 0, 1)).map(([one, indent]) => JSON.stringify(one, undefined, indent))

test(`finds what a slow store finds, in memory and in segments (seed ${seed})`, async () => {
  await fc.assert(fc.asyncProperty(
    fc.array(fc.tuple(written, fc.integer({ min: 0, max: 50 })), { minLength: 1, maxLength: 40 }),
    fc.array(predicate, { minLength: 1, maxLength: 8 }),
    fc.integer({ min: 1, max: 10 }),
    fc.constantFrom('newest_first', 'oldest_first'),
    async (events, predicates, limit, order) => {
      const slow = memoryEvents()
      const sizes = { blockRowsMax: 15, logFileBytesMax: 3_000, logFilesMax: 2, cacheBytesMax: 5_000, filterBytesMax: 2_000 }
      const store = await openSegmentEventStore({ disk: new SimulatedDisk(), elapsedMs: () => 0, sizes })
      for (const [one, occurredAt] of events) {
        await slow.append('t', [newEvent(occurredAt, one)])
        await store.append('t', [newEvent(occurredAt, one)])
      }
      for (const one of predicates) {
        const query = queryOf({ predicate: one, limit, order, from: 3, to: 48, extent: 'histogram' })
        const want = await slow.search(query)
        // The second finds what was cached, and so does the narrower one.
        const wide = { ...query, from: 0, to: 60 }
        // What a search costs is the store's own.
        const scanned: unknown = expect.anything()
        expect(await store.search(wide)).toEqual({ ...await slow.search(wide), scanned })
        for (const _again of [1, 2]) expect(await store.search(query)).toEqual({ ...want, scanned })
        if (want.cursor === undefined) continue
        const next = { ...query, after: want.cursor }
        expect((await store.search(next)).events).toEqual((await slow.search(next)).events)
      }
      expect(await store.fields('t')).toMatchObject({ fields: (await slow.fields('t')).fields.map(({ name, types }) => ({ name, types })) })
      await store.close()
    },
  ), { numRuns: 150, seed })
})
