import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Batch } from './batch.ts'
import type { EventObject, FieldAliases } from './event.ts'
import { FieldReader } from './field-reader.ts'
import { FieldTable } from './field-table.ts'
import type { FieldValue } from './value.ts'

const seed = 20_261_122

const names = [
  'Image', 'image', 'IMAGE', 'NewProcessName', 'User', 'a', 'A', 'a.b', 'A.B', 'a.b.c', 'b', 'é.b', 'É.b', '__proto__',
  '__proto__.b', 'constructor', 'absent', '\u0130', 'i\u0307',
]
const someNames = fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 8 })
const aliasTables: fc.Arbitrary<FieldAliases> = fc.array(fc.tuple(
  fc.constantFrom(...names), fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }),
), { maxLength: 4 })
  .map((rows) => new Map(rows.map(([name, others]) => [name, others.filter((other) => other !== name)])))

const scalars = fc.constantFrom<unknown>('x', 'y', '', 1, null, true)
const values = fc.letrec<{ value: unknown; members: unknown }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, { weight: 3, arbitrary: scalars },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 3 }) }, { weight: 3, arbitrary: tie('members') }),
  members: fc.array(fc.tuple(fc.constantFrom('b', 'c', 'B', '__proto__'), tie('value')), { maxLength: 3 })
    .map((members) => Object.fromEntries(members)),
})).value
const events: fc.Arbitrary<EventObject> = fc
  .array(fc.tuple(fc.constantFrom(...names, 'iMAGE', 'ImAge', 'newprocessname', 'é', 'É.B'), values), { maxLength: 8 })
  .map((members) => Object.fromEntries(members))

describe(`the field reader agrees with the columns of a batch, seed ${seed}`, () => {
  test.for<[what: string, ignoresNameCase: boolean]>([['case-sensitive names', false], ['names of any case', true]])(
    'where %s', ([, ignoresNameCase]) => {
      let presentCount = 0
      const someEvents = fc.array(events, { minLength: 1, maxLength: 4 })
      fc.assert(fc.property(someNames, aliasTables, someEvents, (fields, aliases, batch) => {
        const table = new FieldTable()
        const slots = fields.map((name) => table.assignSlot(name))
        const normalized = batch.map((event) => ({ fields: event, logsources: [], aliases, ignoresNameCase }))
        const columns = new Batch(normalized, table)
        const reader = new FieldReader(fields, aliases, ignoresNameCase)
        const read: FieldValue[] = fields.map(() => undefined)
        for (const [row, event] of batch.entries()) {
          const expected = slots.map((slot) => columns.column(slot).value(row))
          reader.read(event, read)
          expect(read).toEqual(expected)
          presentCount += expected.filter((value) => value !== undefined).length
        }
      }), { seed, numRuns: 2_000 })
      expect(presentCount).toBeGreaterThan(2_000)
    })
})

const aliases: FieldAliases = new Map([['Image', ['NewProcessName', 'process.path']]])

test.for<[event: object, image: FieldValue]>([
  [{ Image: 'own', NewProcessName: 'other' }, 'own'],
  [{ NewProcessName: 'other', image: 'case' }, 'other'],
  [{ process: { path: 'deep' }, image: 'case' }, 'deep'],
  [{ 'process.path': 'flat', 'process': { path: 'deep' } }, 'flat'],
  [{ process: [{ path: 'one' }, { path: 'two' }] }, ['one', 'two']],
  [{ image: 'b', IMAGE: 'a', iMage: 'c' }, 'a'],
  [{ IMAGE: 'a', image: 'b' }, 'a'],
  [{ newprocessname: 'case of another name' }, undefined],
  [{ Image: null, NewProcessName: 'other' }, null],
  [{ Image: { a: 1 } }, '{"a":1}'],
  [{}, undefined],
])('reads from %j the image %j', ([event, image]) => {
  const read: FieldValue[] = ['what was there before']
  new FieldReader(['Image'], aliases, true).read({ ...event }, read)
  expect(read).toEqual([image])
})
