import { DatabaseSync } from 'node:sqlite'
import { compileRules, Engine } from '@tripline/engine'
import type { EventObject } from '@tripline/engine'
import type { Predicate } from '@tripline/engine/predicate'
import { array, assert, constantFrom, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { convertPredicate } from '../src/convert/convert-predicate.ts'
import type { QueryTarget } from '../src/convert/convert-predicate.ts'

function compile(...lines: readonly string[]): { readonly predicate: Predicate; readonly matches: (events: readonly EventObject[]) => number[] } {
  const text = ['title: t', 'logsource: { category: x }', 'detection:', ...lines.map((line) => `  ${line}`)].join('\n')
  const { ruleSet, reports } = compileRules(text)
  if (ruleSet.rules.length !== 1) throw new Error(JSON.stringify(reports[0]?.diagnostics))
  const engine = new Engine(ruleSet, { taxonomy: 'none', lenient: true })
  return {
    predicate: ruleSet.rules[0]!.predicate,
    matches: (events) => engine.push([...events]).map((match) => match.kind === 'detection' ? match.row : -1),
  }
}

function convert(target: QueryTarget, ...lines: readonly string[]): string {
  const converted = convertPredicate(compile(...lines).predicate, target, 'events')
  return 'query' in converted ? converted.query : `refused: ${converted.unsaid}`
}

const names = ['Image', 'User', 'EventID', 'Ip']

/** The rows of events that SQLite finds. */
function findRows(query: string, events: readonly EventObject[]): number[] {
  const database = new DatabaseSync(':memory:')
  database.exec(`CREATE TABLE events (row INTEGER, ${names.map((name) => `"${name}"`).join(', ')})`)
  const insert = database.prepare(`INSERT INTO events VALUES (?${', ?'.repeat(names.length)})`)
  for (const [row, event] of events.entries()) insert.run(row, ...names.map((name) => (event[name] ?? null) as string | number | null))
  const rows = database.prepare(`${query} ORDER BY row`).all()
  database.close()
  return rows.map(({ row }) => Number(row))
}

const conditions: readonly (readonly string[])[] = [
  ["s: { Image|endswith: '\\cmd.exe' }", 'condition: s'],
  ["s: { Image: ['a%b', 'a_b', 'x*y', 'x\\*y', 'a?b', ''] }", 'condition: s'],
  ["s: { Image|contains: 'A' }", "f: { User: ['root', 'adm*'] }", 'condition: s and not f'],
  ['s: { Image: null }', 'condition: s'],
  ['s: { Image: null }', 'condition: not s'],
  ['s: { User|exists: true, Image|exists: false }', 'condition: s'],
  ['s: { EventID: 1 }', 'condition: s'],
  ['s: { EventID|gt: 1 }', 'condition: not s'],
  ['s: { EventID|lte: 10.5 }', 'condition: s'],
  ['s: [{ EventID: [1, 4624] }, { User|startswith: r }]', 'condition: not s'],
  ['a: { User: root }', 'b: { Image: x }', 'condition: 1 of them'],
  ['s: { Ip|cidr: [10.0.0.0/8, 172.16.0.0/12, 192.168.1.7/32] }', 'condition: s'],
  ["s: { Image|contains|all: [a, b] }", "t: { Image: \"it's\" }", 'condition: s or t'],
  ['s: { Image|windash|contains: " -f" }', 'condition: s'],
]

const image = constantFrom('C:\\cmd.exe', 'c:\\CMD.EXE', 'a%b', 'a_b', 'aXb', 'x*y', 'xzzy', '', 'A', 'ab', "it's", 'run -f x', 'run /F x', 'nul', null)
const user = constantFrom('root', 'ROOT', 'admin', 'eve', null)
const number = constantFrom<(string | number | null)[]>(1, '1', 2, '4624', 10.5, '10.6', 'x', '', 0, null)
const ip = constantFrom('10.1.2.3', '172.16.0.1', '172.32.0.1', '192.168.1.7', '192.168.1.70', '100.1.1.1', null)
const anyEvent = record({ Image: image, User: user, EventID: number, Ip: ip }).map((event): EventObject => {
  return Object.fromEntries(Object.entries(event).filter(([, value]) => value !== null))
})

test.for(conditions)('SQLite finds what the engine finds: %s', (lines) => {
  const { predicate, matches } = compile(...lines)
  const converted = convertPredicate(predicate, 'sqlite', 'events')
  if ('unsaid' in converted) throw new Error(converted.unsaid)
  assert(property(array(anyEvent, { maxLength: 20 }), (events) => {
    expect(findRows(converted.query, events)).toEqual(matches(events))
  }), { numRuns: 60 })
})

describe('texts', () => {
  const file = "s: { Image|endswith: '\\a\"b.exe' }"
  test.for<[target: QueryTarget, query: string]>([
    ['sqlite', `SELECT * FROM "events" WHERE ("Image" IS NOT NULL AND CAST("Image" AS TEXT) LIKE '%\\\\a"b.exe' ESCAPE '\\')`],
    ['postgresql', `SELECT * FROM "events" WHERE ("Image" IS NOT NULL AND CAST("Image" AS TEXT) ILIKE '%\\\\a"b.exe')`],
    ['clickhouse', `SELECT * FROM \`events\` WHERE (\`Image\` IS NOT NULL AND toString(\`Image\`) ILIKE '%\\\\\\\\a"b.exe')`],
    ['duckdb', `SELECT * FROM "events" WHERE ("Image" IS NOT NULL AND CAST("Image" AS VARCHAR) ILIKE '%\\\\a"b.exe' ESCAPE '\\')`],
    ['lucene', 'Image:*\\\\a\\"b.exe'],
    ['esql', 'FROM events | WHERE (Image IS NOT NULL AND TO_LOWER(TO_STRING(Image)) LIKE "*\\\\\\\\a\\"b.exe")'],
    ['spl', 'search index="events" Image="*\\\\a\\"b.exe"'],
    ['kql', `events | where tostring(Image) endswith '\\\\a"b.exe'`],
  ])('%s', ([target, query]) => {
    expect(convert(target, file, 'condition: s')).toBe(query)
  })
})

describe('structure', () => {
  const lines = ['a: { x.y: [b, c], n|gte: 5 }', 'f: { z: null }', 'condition: a and not f']
  test.for<[target: QueryTarget, query: string]>([
    ['lucene', '(((x.y:b OR x.y:c) AND n:>=5) AND (*:* AND NOT (*:* AND NOT _exists_:z)))'],
    ['spl', 'search index="events" (((x.y="b" OR x.y="c") AND n>=5) AND NOT (NOT z=*))'],
    ['kql', "events | where (((tostring(x.y) =~ 'b' or tostring(x.y) =~ 'c') and coalesce(todouble(tostring(n)) >= 5, false)) and not(isempty(tostring(z))))"],
    ['duckdb', `SELECT * FROM "events" WHERE (((("x.y" IS NOT NULL AND CAST("x.y" AS VARCHAR) ILIKE 'b' ESCAPE '\\') OR `
      + `("x.y" IS NOT NULL AND CAST("x.y" AS VARCHAR) ILIKE 'c' ESCAPE '\\')) AND ("n" IS NOT NULL AND `
      + `COALESCE(TRY_CAST(CAST("n" AS VARCHAR) AS DOUBLE) >= 5, FALSE))) AND NOT ("z" IS NULL))`],
  ])('%s', ([target, query]) => {
    expect(convert(target, ...lines)).toBe(query)
  })
})

test.for<[target: QueryTarget, value: string, query: string]>([
  ['clickhouse', 'Image|re: "a.b"', "match(toString(`Image`), '(?-s)a.b')"],
  ['duckdb', 'Image|re|i: "a.b"', `regexp_matches(CAST("Image" AS VARCHAR), '(?i)a.b')`],
  ['kql', "Image|re: 'a\\d'", "tostring(Image) matches regex 'a\\\\d'"],
  ['postgresql', "Image|re: 'a\\d'", `CAST("Image" AS TEXT) ~ '(?p)a\\d'`],
  ['postgresql', 'Ip|cidr: 10.0.0.0/8', `<<= CAST('10.0.0.0/8' AS INET)`],
  ['clickhouse', 'Ip|cidr: 10.0.0.0/8', "isIPAddressInRange(toString(`Ip`), '10.0.0.0/8')"],
  ['kql', 'Ip|cidr: "fe80::/10"', "coalesce(ipv6_is_in_range(tostring(Ip), 'fe80::/10'), false)"],
  ['esql', 'Ip|cidr: 10.0.0.0/8', 'CIDR_MATCH(TO_IP(TO_STRING(Ip)), "10.0.0.0/8")'],
  ['kql', "Image: 'a*b?c'", "tostring(Image) matches regex '(?si)^(?:a.*b.c)$'"],
  ['lucene', "User: 'a b'", 'User:a\\ b'],
  ['kql', "User: 'a*'", "tostring(User) startswith 'a'"],
  ['kql', "User: '*a*'", "tostring(User) contains 'a'"],
  ['kql', "User|endswith|cased: A", "tostring(User) endswith_cs 'A'"],
])('%s states %s', ([target, value, query]) => {
  expect(convert(target, `s: { ${value} }`, 'condition: s')).toContain(query)
})

test.for<[target: QueryTarget, value: string, unsaid: string]>([
  ['sqlite', 'Image|re: a', 'a regular expression'],
  ['sqlite', 'Image|contains|cased: A', 'a case-sensitive comparison'],
  ['sqlite', 'Image: Ä', 'letters beyond ASCII'],
  ['sqlite', 'Ip|cidr: "fe80::/10"', 'a network of IPv6'],
  ['postgresql', "Image|re: 'a\\b'", 'a regular expression that PostgreSQL reads otherwise'],
  ['duckdb', 'Image|fieldref: User', 'a comparison of two fields'],
  ['clickhouse', 'Time|hour: 5', 'a part of a time'],
  ['lucene', "Image: 'a<b'", "'<' or '>' in a text"],
  ['lucene', 'Image|re: a', 'a regular expression'],
  ['spl', "Image: 'a?b'", "a wildcard for one character"],
  ['spl', "Image: 'a\\*b'", "a literal '*'"],
  ['esql', 'Image|re: a', 'a regular expression'],
  ['kql', "Image: ''", 'an empty text'],
])('%s refuses %s', ([target, value, unsaid]) => {
  expect(convert(target, `s: { ${value} }`, 'condition: s')).toContain(`refused: ${unsaid}`)
})

test('a list of thousands of values is no deeper than SQLite allows', () => {
  const values = Array.from({ length: 2_500 }, (_, at) => `v${at}.exe`)
  const events = ['v0.exe', 'v2499.exe', 'v2500.exe'].map((Image): EventObject => ({ Image }))
  for (const lines of [[`s: { Image: [${values.join(', ')}] }`, 'condition: s'], [`s: { Image: [${values.join(', ')}] }`, 'condition: not s']]) {
    expect(findRows(convert('sqlite', ...lines), events)).toEqual(compile(...lines).matches(events))
  }
})

test.for<QueryTarget>(['sqlite', 'lucene', 'spl', 'kql', 'esql'])('%s refuses keywords', (target) => {
  expect(convert(target, 'k: [evil]', 'condition: k')).toBe('refused: a keyword, which is compared with every field')
})

describe('each kind of comparison, in each language', () => {
  const targets = ['sqlite', 'postgresql', 'clickhouse', 'duckdb', 'lucene', 'esql', 'spl', 'kql'] as const
  const sql = 'SELECT * FROM "events" WHERE '
  const clickhouse = 'SELECT * FROM `events` WHERE '
  const isAbsent = [
    `${sql}"a" IS NULL`, `${sql}"a" IS NULL`, `${clickhouse}\`a\` IS NULL`, `${sql}"a" IS NULL`,
    '(*:* AND NOT _exists_:a)', 'FROM events | WHERE a IS NULL', 'search index="events" NOT a=*', 'events | where isempty(tostring(a))',
  ]
  const sqliteText = 'CAST("a" AS TEXT)'
  const number = (sign: string): string[] => [
    `${sql}("a" IS NOT NULL AND CASE WHEN ${sqliteText} GLOB '*[0-9]*' AND ${sqliteText} NOT GLOB '*[^0-9.eE+-]*' `
    + `THEN CAST(${sqliteText} AS REAL) ${sign} 5 ELSE 0 END)`,
    `${sql}("a" IS NOT NULL AND CASE WHEN ${sqliteText} ~ '^[+-]?[0-9]+(\\.[0-9]+)?$' THEN CAST(${sqliteText} AS NUMERIC) ${sign} 5 ELSE FALSE END)`,
    `${clickhouse}(\`a\` IS NOT NULL AND ifNull(toFloat64OrNull(toString(\`a\`)) ${sign} 5, 0))`,
    `${sql}("a" IS NOT NULL AND COALESCE(TRY_CAST(CAST("a" AS VARCHAR) AS DOUBLE) ${sign} 5, FALSE))`,
    `a:${sign === '=' ? '' : sign}5`,
    `FROM events | WHERE (a IS NOT NULL AND COALESCE(TO_DOUBLE(TO_STRING(a)) ${sign === '=' ? '==' : sign} 5, false))`,
    `search index="events" a${sign}5`,
    `events | where coalesce(todouble(tostring(a)) ${sign === '=' ? '==' : sign} 5, false)`,
  ]
  test.for<[value: string, queries: readonly string[]]>([
    ['a: true', [
      `${sql}("a" IS NOT NULL AND (${sqliteText} LIKE 'true' ESCAPE '\\' OR ${sqliteText} LIKE '1' ESCAPE '\\'))`,
      `${sql}("a" IS NOT NULL AND ${sqliteText} ILIKE 'true')`,
      `${clickhouse}(\`a\` IS NOT NULL AND toString(\`a\`) ILIKE 'true')`,
      `${sql}("a" IS NOT NULL AND CAST("a" AS VARCHAR) ILIKE 'true' ESCAPE '\\')`,
      'a:true',
      'FROM events | WHERE (a IS NOT NULL AND TO_LOWER(TO_STRING(a)) == "true")',
      'search index="events" a="true"',
      "events | where tostring(a) =~ 'true'",
    ]],
    ['a: 5', number('=')],
    ['a|gt: 5', number('>')],
    ['a|lt: 5', number('<')],
    ['a|gte: 5', number('>=')],
    ['a|lte: 5', number('<=')],
    ['a: null', isAbsent],
    ['a|exists: false', isAbsent],
    ['a|exists: true', [
      `${sql}"a" IS NOT NULL`, `${sql}"a" IS NOT NULL`, `${clickhouse}\`a\` IS NOT NULL`, `${sql}"a" IS NOT NULL`,
      '_exists_:a', 'FROM events | WHERE a IS NOT NULL', 'search index="events" a=*', 'events | where isnotempty(tostring(a))',
    ]],
    ["a: '*'", [
      `${sql}("a" IS NOT NULL AND ${sqliteText} LIKE '%' ESCAPE '\\')`,
      `${sql}("a" IS NOT NULL AND ${sqliteText} ILIKE '%')`,
      `${clickhouse}(\`a\` IS NOT NULL AND toString(\`a\`) ILIKE '%')`,
      `${sql}("a" IS NOT NULL AND CAST("a" AS VARCHAR) ILIKE '%' ESCAPE '\\')`,
      'a:*',
      'FROM events | WHERE (a IS NOT NULL AND TO_LOWER(TO_STRING(a)) LIKE "*")',
      'search index="events" a="*"',
      'events | where isnotempty(tostring(a))',
    ]],
    ["'a-b.1c': x", [
      `${sql}("a-b.1c" IS NOT NULL AND CAST("a-b.1c" AS TEXT) LIKE 'x' ESCAPE '\\')`,
      `${sql}("a-b.1c" IS NOT NULL AND CAST("a-b.1c" AS TEXT) ILIKE 'x')`,
      `${clickhouse}(\`a-b.1c\` IS NOT NULL AND toString(\`a-b.1c\`) ILIKE 'x')`,
      `${sql}("a-b.1c" IS NOT NULL AND CAST("a-b.1c" AS VARCHAR) ILIKE 'x' ESCAPE '\\')`,
      'a\\-b.1c:x',
      'FROM events | WHERE (`a-b`.`1c` IS NOT NULL AND TO_LOWER(TO_STRING(`a-b`.`1c`)) LIKE "x")',
      'search index="events" a-b.1c="x"',
      "events | where tostring(['a-b']['1c']) =~ 'x'",
    ]],
    ["'a b': x", [
      `${sql}("a b" IS NOT NULL AND CAST("a b" AS TEXT) LIKE 'x' ESCAPE '\\')`,
      `${sql}("a b" IS NOT NULL AND CAST("a b" AS TEXT) ILIKE 'x')`,
      `${clickhouse}(\`a b\` IS NOT NULL AND toString(\`a b\`) ILIKE 'x')`,
      `${sql}("a b" IS NOT NULL AND CAST("a b" AS VARCHAR) ILIKE 'x' ESCAPE '\\')`,
      'a\\ b:x',
      'FROM events | WHERE (`a b` IS NOT NULL AND TO_LOWER(TO_STRING(`a b`)) LIKE "x")',
      'search index="events" "a b"="x"',
      "events | where tostring(['a b']) =~ 'x'",
    ]],
    ['a|cased: Xy', [
      'refused: a case-sensitive comparison (SQLite compares with LIKE by the setting of the connection)',
      `${sql}("a" IS NOT NULL AND ${sqliteText} LIKE 'Xy')`,
      `${clickhouse}(\`a\` IS NOT NULL AND toString(\`a\`) LIKE 'Xy')`,
      `${sql}("a" IS NOT NULL AND CAST("a" AS VARCHAR) LIKE 'Xy' ESCAPE '\\')`,
      'refused: a case-sensitive comparison',
      'FROM events | WHERE (a IS NOT NULL AND TO_STRING(a) LIKE "Xy")',
      'refused: a case-sensitive comparison',
      "events | where tostring(a) == 'Xy'",
    ]],
  ])('%s', ([value, queries]) => {
    expect(targets.map((target) => convert(target, `s: { ${value} }`, 'condition: s'))).toEqual(queries)
  })
})
