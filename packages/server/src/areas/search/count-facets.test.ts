import { toLosslessJson } from '@tripline/common/lossless-json'
import { expect, test } from 'vitest'
import { limits } from '../../limits.ts'
import { countFacets } from './count-facets.ts'

const { facetFieldsDefault, facetValuesMax, facetValueLengthMax, fieldNameLengthMax } = limits.lists

type Row = readonly [title: string, events: readonly object[], wanted: readonly string[] | undefined, facets: unknown]

const alike = (event: object): object[] => [event, event, event]
const facet = (field: string, eventCount: number, values: readonly (readonly [unknown, number])[], distinct = values.length): object => ({
  field, eventCount, distinct, values: values.map(([value, count]) => ({ value, count })),
})

const rows: readonly Row[] = [
  ['no event', [], undefined, []],
  ['a field that was asked for and is in no event', [{ a: 1 }], ['b'], [facet('b', 0, [])]],
  ['values by frequency, then by text', [{ a: 'y' }, { a: 'x' }, { a: 'z' }, { a: 'z' }], ['a'], [facet('a', 4, [['z', 2], ['x', 1], ['y', 1]])]],
  ['nested names are joined', [{ host: { name: 'a' } }, { host: { name: 'b' } }], ['host.name'], [facet('host.name', 2, [['a', 1], ['b', 1]])]],
  ['each value of a list counts once an event', [{ a: ['x', 'x', 'y'] }, { a: ['x'] }], ['a'], [facet('a', 2, [['x', 2], ['y', 1]])]],
  ['a number and its text differ', [{ a: 1 }, { a: '1' }, { a: true }], ['a'], [facet('a', 3, [[1, 1], ['1', 1], [true, 1]])]],
  ['null has no value', [{ a: null }, { a: 1 }], ['a'], [facet('a', 1, [[1, 1]])]],
  [
    'a value that is longer than a filter takes is counted, not shown',
    [{ a: 'x'.repeat(facetValueLengthMax + 1) }, { a: 'x'.repeat(facetValueLengthMax) }], ['a'],
    [facet('a', 2, [['x'.repeat(facetValueLengthMax), 1]], 2)],
  ],
  ['an exact number is neither a value nor an object', [toLosslessJson({ a: '9007199254740993' }, '{"a":9007199254740993}')], ['a', 'a.rawJSON'], [facet('a', 0, []), facet('a.rawJSON', 0, [])]],
  ['names of objects are names', [{ __proto__: null, constructor: 'x', toString: 'y' }], ['constructor', 'toString'], [facet('constructor', 1, [['x', 1]]), facet('toString', 1, [['y', 1]])]],
  ['without names: what all have alike, and what never repeats, say nothing', [...alike({ a: 1, b: 'x' }), ...alike({ a: 1, b: 'y' })].map((event, id) => ({ ...event, id })), undefined, [facet('b', 6, [['x', 3], ['y', 3]])]],
  [
    'without names: not the header of records', [...alike({ Level: 4, host: 'x' }), ...alike({ Level: 5, host: 'y' })], undefined,
    [facet('host', 6, [['x', 3], ['y', 3]])],
  ],
  [
    'without names: not a field whose values are longer than a filter takes',
    [...alike({ a: 'x'.repeat(facetValueLengthMax + 1) }), ...alike({ a: 'y'.repeat(facetValueLengthMax + 1) })], undefined, [],
  ],
  ['but where nothing else divides the events', [...alike({ Level: 4 }), ...alike({ Level: 5 })], undefined, [facet('Level', 6, [[4, 3], [5, 3]])]],
  ['without names: of a few events one value that repeats is enough', [{ a: 1 }, { a: 2 }, { a: 3 }, { a: 3 }], undefined, [facet('a', 4, [[3, 2], [1, 1], [2, 1]])]],
]

test.for(rows)('%s', ([, events, wanted, facets]) => {
  expect(countFacets(events as { readonly [field: string]: unknown }[], wanted)).toEqual(facets)
})

test('fields, values and names are bounded', () => {
  const names = Array.from({ length: facetFieldsDefault + 1 }, (_, index) => `f${index}`)
  const events = Array.from({ length: 100 }, (_, index) => Object.fromEntries(names.map((name) => [name, index % (facetValuesMax + 1)])))
  const facets = countFacets(events, undefined)
  expect([facets.length, facets[0]!.values.length, facets[0]!.distinct]).toEqual([facetFieldsDefault, facetValuesMax, facetValuesMax + 1])
  const long = 'x'.repeat(fieldNameLengthMax)
  expect(countFacets(alike({ a: { [long]: 1 } }) as never, [`a.${long}`])[0]!.eventCount).toBe(0)
})

test('an event that is nested deeply is walked without recursion', () => {
  let value: unknown = 'x'
  for (let depth = 0; depth < 20_000; depth++) value = [value]
  expect(countFacets([{ a: value }], ['a'])).toEqual([facet('a', 1, [['x', 1]])])
})
