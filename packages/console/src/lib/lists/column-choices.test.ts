import { expect, test } from 'vitest'
import { readChoices } from './choose-columns.ts'
import { arrangeColumns } from './column-choices.ts'
import type { ColumnChoice } from './column-choices.ts'

const columns = ['severity', 'rule', 'host', 'age'].map((id) => ({ id, width: '1fr' }))

test.for<[title: string, choice: ColumnChoice | undefined, shown: readonly string[]]>([
  ['nothing chosen', undefined, ['severity', 'rule', 'host', 'age']],
  ['one hidden', { hidden: ['rule'] }, ['severity', 'host', 'age']],
  ['another order', { order: ['age', 'rule', 'severity', 'host'] }, ['age', 'rule', 'severity', 'host']],
  ['a column that came since stays behind its neighbour', { order: ['age', 'severity', 'host'] }, ['age', 'severity', 'rule', 'host']],
  ['a first column that came since is first', { order: ['host', 'rule', 'age'] }, ['severity', 'host', 'rule', 'age']],
  ['a column that is gone', { order: ['user', 'age', 'host', 'rule', 'severity'], hidden: ['user'] }, ['age', 'host', 'rule', 'severity']],
])('%s', ([, choice, shown]) => {
  expect(arrangeColumns(columns, choice).map(({ id }) => id)).toEqual(shown)
})

test('a chosen width gives way where the table is too narrow for it', () => {
  expect(arrangeColumns(columns, { widths: { host: 220 } }).map(({ width }) => width)).toEqual(['1fr', '1fr', 'minmax(0, 220px)', '1fr'])
})

test.for<[kept: unknown, read: object]>([
  [{ alerts: { order: ['a'], hidden: ['b'], widths: { a: 100 } } }, { alerts: { order: ['a'], hidden: ['b'], widths: { a: 100 } } }],
  [{ alerts: { order: 'a', hidden: [1], widths: { a: '100' }, layout: 'map' }, rules: 7 }, { alerts: {}, rules: {} }],
  [{ search: { layout: 'log' } }, { search: { layout: 'log' } }],
  ['text', {}],
  [null, {}],
  [['a'], {}],
])('of %j is read what is a choice', ([kept, read]) => {
  expect(readChoices(kept)).toEqual(read)
})
