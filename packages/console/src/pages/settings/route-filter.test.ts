import { expect, test } from 'vitest'
import { printSeverityFilter, readSeverityFilter } from './route-filter.ts'

test('no filter and one of severities come back as they were', () => {
  for (const filter of [null, { field: 'severity', op: 'in', value: ['high', 'low'] }]) {
    expect(printSeverityFilter(readSeverityFilter(filter), '')).toEqual(filter)
  }
})

test.for<[title: string, filter: object]>([
  ['another field', { field: 'host', op: 'in', value: ['a'] }], ['another operator', { field: 'severity', op: 'gte', value: 'high' }],
  ['a combination', { and: [{ field: 'severity', op: 'in', value: ['high'] }] }],
  ['something beside it', { field: 'severity', op: 'in', value: ['high'], not: {} }],
])('%s stays an expression', ([, filter]) => {
  const read = readSeverityFilter(filter as { readonly [name: string]: unknown })
  expect(read.kind).toBe('expression')
  expect(printSeverityFilter(read, read.text)).toEqual(filter)
})

test.for(['', 'x', '[]', '1', 'null'])("'%s' is no expression", (text) => {
  expect(printSeverityFilter({ kind: 'expression', severities: [], text: '' }, text)).toBeUndefined()
})
