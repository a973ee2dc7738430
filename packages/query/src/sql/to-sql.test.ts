import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { parsePattern } from '@tripline/engine/predicate'
import type { Predicate, ValueTest } from '@tripline/engine/predicate'
import { exactName } from '../field-names.ts'
import { limits } from '../limits.ts'
import { lowerQuery } from '../lower.ts'
import { parseQuery } from '../parse.ts'
import { printPredicateAsQuery } from '../predicate-to-query.ts'
import { clickHouse, sqlite } from './dialects.ts'
import type { SqlTable, TableField } from './table.ts'
import { toSql } from './to-sql.ts'

const list = (name: string) => ({ name, isList: true })
const single = (name: string) => ({ name, isList: false })

const table: SqlTable = {
  fields: new Map<string, TableField>([
    ['a', { texts: list('a'), numbers: list('a_numbers'), instants: list('a_instants'), isPresent: 'has_a', isNull: 'no_a' }],
    ['b', { texts: single('b'), numbers: single('b_number') }],
    ['message', { texts: single('message') }],
  ]),
  leaves: list('leaves'),
}

const predicateOf = (text: string): Predicate => lowerQuery(parseQuery(text), { resolveNames: exactName })
const testOf = (field: string | undefined, value: ValueTest): Predicate =>
  ({ kind: 'test', field, value, written: { item: '', operator: 'eq' }, writtenValue: '' })

describe('ClickHouse', () => {
  test.for<[query: string, text: string, parameters: (string | number)[], residual: string]>([
    ['*', '1 = 1', [], '*'],
    ['NOT *', '1 = 0', [], '*'],
    ['a:X', 'arrayExists(x -> x = {p0:String}, `a`)', ['x'], '*'],
    ['b:X', '(`b` IS NOT NULL AND `b` = {p0:String})', ['x'], '*'],
    [String.raw`a:50%_\\*`, 'arrayExists(x -> x LIKE {p0:String}, `a`)', [String.raw`50\%\_\\%`], '*'],
    ['word', 'arrayExists(x -> x LIKE {p0:String}, `leaves`)', ['%word%'], '*'],
    ['a:5', 'arrayExists(x -> x = {p0:Float64}, `a_numbers`)', [5], '*'],
    ['b:>=5', '(`b_number` IS NOT NULL AND `b_number` >= {p0:Float64})', [5], '*'],
    ['a:>=1970-01-02', 'arrayExists(x -> x >= {p0:Int64}, `a_instants`)', [86_400_000], '*'],
    ['a:*', '`has_a` = 1', [], '*'],
    ['a:null', '`no_a` = 1', [], '*'],
    ['a:x AND NOT b:y', '(arrayExists(x -> x = {p0:String}, `a`) AND (NOT (`b` IS NOT NULL AND `b` = {p1:String})))', ['x', 'y'], '*'],
    ['a:(x OR y OR z)', '((arrayExists(x -> x = {p0:String}, `a`) OR arrayExists(x -> x = {p1:String}, `a`)) OR arrayExists(x -> x = {p2:String}, `a`))', ['x', 'y', 'z'], '*'],

    // What the table does not show
    ['other:x', '1 = 1', [], 'other:x'],
    ['b:*', '1 = 1', [], 'b:*'],
    ['a:x other:y', 'arrayExists(x -> x = {p0:String}, `a`)', ['x'], 'other:y'],
    ['a:x OR other:y', '1 = 1', [], 'a:x OR other:y'],
    ['a:x NOT other:y', 'arrayExists(x -> x = {p0:String}, `a`)', ['x'], 'NOT other:y'],
    ['NOT (a:x other:y)', '1 = 1', [], 'NOT (a:x AND other:y)'],
    ['NOT (a:x OR other:y)', '(NOT arrayExists(x -> x = {p0:String}, `a`))', ['x'], 'NOT (a:x OR other:y)'],
    ['a:10.0.0.0/8', '1 = 1', [], 'a:10.0.0.0/8'],
    ['a:9007199254740993', 'arrayExists(x -> x = {p0:Float64}, `a_numbers`)', [9_007_199_254_740_992], 'a:9007199254740993'],
    ['NOT a:9007199254740993', '1 = 1', [], 'NOT a:9007199254740993'],
    ['a:"x\0"', 'arrayExists(x -> x = {p0:String}, `a`)', ['x\ufffd'], 'a:x\0'],
    ['a:\ud83d', '1 = 1', [], 'a:\ud83d'],
  ])('%s', ([query, text, parameters, residual]) => {
    const sql = toSql(predicateOf(query), clickHouse, table)
    expect({ ...sql, residual: printPredicateAsQuery(sql.residual) }).toEqual({ text, parameters, residual: { text: residual } })
  })
})

describe('what rules ask', () => {
  const cased: ValueTest = { kind: 'text', pattern: parsePattern('X*'), isCased: true }
  const dash: ValueTest = { kind: 'text', pattern: [{ kind: 'oneOf', characters: '-/' }, { kind: 'text', text: 'x' }], isCased: false }

  test.for<[title: string, predicate: Predicate, text: string, parameters: string[], isWhole: boolean]>([
    ['a keyword', testOf(undefined, { kind: 'text', pattern: parsePattern('*X*'), isCased: false }),
      String.raw`EXISTS (SELECT 1 FROM json_each("leaves") WHERE value LIKE ? ESCAPE '\')`, ['%x%'], true],
    ['case', testOf('a', cased), String.raw`EXISTS (SELECT 1 FROM json_each("a") WHERE value LIKE ? ESCAPE '\')`, ['x%'], false],
    ['case, negated', { kind: 'not', of: testOf('a', cased) }, '1 = 1', [], false],
    ['one of some characters', testOf('b', dash), String.raw`("b" IS NOT NULL AND "b" LIKE ? ESCAPE '\')`, ['_x'], false],
    ['a boolean', testOf('b', { kind: 'boolean', value: true }), '("b" IS NOT NULL AND "b" = ?)', ['true'], true],
    ['a selection', { kind: 'group', name: 'sel', of: testOf('b', cased) },
      String.raw`("b" IS NOT NULL AND "b" LIKE ? ESCAPE '\')`, ['x%'], false],
    ['absence', testOf('a', { kind: 'exists', isPresent: false }), '(NOT "has_a" = 1)', [], true],
    ['elements', { kind: 'elements', field: 'a', quantifier: 'any', of: testOf('.', cased) }, '1 = 1', [], false],
    ['elements, negated', { kind: 'not', of: { kind: 'elements', field: 'a', quantifier: 'any', of: testOf('.', cased) } }, '1 = 1', [], false],
  ])('%s', ([, predicate, text, parameters, isWhole]) => {
    const sql = toSql(predicate, sqlite, table)
    expect([sql.text, sql.parameters, sql.residual.kind === 'constant']).toEqual([text, parameters, isWhole])
  })
})

describe('hostile names and sizes', () => {
  test.for([
    'a"b', "a'b", '"; DROP TABLE events; --', '{value}', '{column}', '?', 'a`b', 'a\\', '\\"', 'select', 'é😀', ' ', 'a.b', '#', '\n', '%',
  ])('a column called %j is read and nothing else', (name) => {
    const database = new DatabaseSync(':memory:')
    database.exec(`CREATE TABLE events (id, "${name.replaceAll('"', '""')}")`)
    const insert = database.prepare('INSERT INTO events VALUES (?, ?)')
    insert.run(1, 'x')
    insert.run(2, null)
    insert.run(3, 'y')
    const hostile: SqlTable = { fields: new Map([[name, { texts: single(name) }]]) }
    const found = (predicate: Predicate): unknown[] => {
      const { text, parameters } = toSql(predicate, sqlite, hostile)
      return database.prepare(`SELECT id FROM events WHERE ${text}`).all(...parameters).map(({ id }) => id)
    }
    const isX = testOf(name, { kind: 'text', pattern: parsePattern('X'), isCased: false })
    expect([found(isX), found({ kind: 'not', of: isX })]).toEqual([[1], [2, 3]])
    expect(found(testOf(name, { kind: 'text', pattern: [{ kind: 'text', text: `' OR 1=1 --` }], isCased: false }))).toEqual([])
  })

  test.for(['a\0b', '\ud83d'])('a column called %j is left alone', (name) => {
    const predicate = testOf('a', { kind: 'text', pattern: [], isCased: false })
    expect(toSql(predicate, sqlite, { fields: new Map([['a', { texts: single(name) }]]) })).toEqual({ text: '1 = 1', parameters: [], residual: predicate })
  })

  test.for<[name: string, quoted: string]>([['a`b', '`a\\`b`'], ['a\\', '`a\\\\`'], ['{value}', '`{value}`']])('ClickHouse quotes %j', ([name, quoted]) => {
    const predicate = testOf('a', { kind: 'exists', isPresent: true })
    expect(toSql(predicate, clickHouse, { fields: new Map([['a', { isPresent: name }]]) }).text).toBe(`${quoted} = 1`)
  })

  const texts = (count: number): Predicate => ({ kind: 'or', of: Array.from({ length: count }, (_, i) => testOf('b', { kind: 'text', pattern: [{ kind: 'text', text: `${i}` }], isCased: false })) })
  const nested = (depth: number): Predicate => (depth === 0 ? texts(1) : { kind: 'not', of: nested(depth - 1) })

  test('SQLite takes as many alternatives and levels as are pushed down', () => {
    const database = new DatabaseSync(':memory:')
    database.exec('CREATE TABLE events (b)')
    database.prepare('INSERT INTO events VALUES (?)').run('4999')
    for (const predicate of [texts(5_000), nested(90)]) {
      const { text, parameters, residual } = toSql(predicate, sqlite, table)
      expect(residual).toEqual({ kind: 'constant', value: true })
      expect(database.prepare(`SELECT COUNT(*) AS count FROM events WHERE ${text}`).get(...parameters)).toEqual({ count: predicate.kind === 'or' ? 1 : 0 })
    }
  })

  test.for<[title: string, predicate: Predicate]>([
    ['too many values', texts(limits.sqlParametersMax + 1)],
    ['too deep a tree', nested(limits.predicateDepthMax + 1)],
    ['too long a pattern', testOf('b', { kind: 'text', pattern: [{ kind: 'text', text: 'x'.repeat(limits.sqlPatternLengthMax + 1) }], isCased: false })],
  ])('%s is left over', ([, predicate]) => {
    expect(toSql(predicate, sqlite, table)).toEqual({ text: '1 = 1', parameters: [], residual: predicate })
  })
})
