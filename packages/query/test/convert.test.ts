import { compileRules } from '@tripline/engine'
import type { Predicate } from '@tripline/engine/predicate'
import { describe, expect, test } from 'vitest'
import { convertPredicate } from '../src/convert/convert-predicate.ts'
import type { QueryTarget } from '../src/convert/convert-predicate.ts'

function compile(...lines: readonly string[]): Predicate {
  const text = ['title: t', 'logsource: { category: x }', 'detection:', ...lines.map((line) => `  ${line}`)].join('\n')
  const { ruleSet, reports } = compileRules(text)
  if (ruleSet.rules.length !== 1) throw new Error(JSON.stringify(reports[0]?.diagnostics))
  return ruleSet.rules[0]!.predicate
}

function convert(target: QueryTarget, ...lines: readonly string[]): string {
  const converted = convertPredicate(compile(...lines), target, 'events')
  return 'query' in converted ? converted.query : `refused: ${converted.unsaid}`
}

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
    ['kql', "events | where ((tostring(x.y) in~ ('b', 'c') and coalesce(todouble(tostring(n)) >= 5, false)) and not(isempty(tostring(z))))"],
    ['duckdb', `SELECT * FROM "events" WHERE ((("x.y" IS NOT NULL AND (CAST("x.y" AS VARCHAR) ILIKE 'b' ESCAPE '\\' OR `
      + `CAST("x.y" AS VARCHAR) ILIKE 'c' ESCAPE '\\')) AND ("n" IS NOT NULL AND COALESCE(TRY_CAST(CAST("n" AS VARCHAR) AS DOUBLE) >= 5 `
      + `AND ISFINITE(TRY_CAST(CAST("n" AS VARCHAR) AS DOUBLE)), FALSE))) AND NOT ("z" IS NULL))`],
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
  ['clickhouse', 'Ip|cidr: 10.0.0.0/8', "isIPAddressInRange(splitByChar('%', trimBoth(toString(`Ip`)))[1], '::ffff:10.0.0.0/104')"],
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
  ['duckdb', 'n: 9007199254740993', 'the integer 9007199254740993 (DuckDB rounds it)'],
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
  const clickhouseNumber = 'toFloat64OrNull(trimBoth(toString(`a`)))'
  const clickhouseHolds = (sign: string): string => `ifNull(${clickhouseNumber} ${sign} 5, 0)`
  const duckdbNumber = 'TRY_CAST(CAST("a" AS VARCHAR) AS DOUBLE)'
  const number = (sign: string): string[] => [
    `${sql}("a" IS NOT NULL AND (${sqliteText} <= CAST(9e999 AS NUMERIC) AND ${sqliteText} ${sign} CAST(5 AS NUMERIC)))`,
    `${sql}("a" IS NOT NULL AND CASE WHEN LENGTH(${sqliteText}) <= 400 `
    + `AND ${sqliteText} ~ '^\\s*[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,3})?\\s*$' `
    + `THEN CAST(${sqliteText} AS NUMERIC) ${sign} 5 ELSE FALSE END)`,
    `${clickhouse}(\`a\` IS NOT NULL AND ${sign === '=' ? clickhouseHolds('=') : `(${clickhouseHolds(sign)} AND isFinite(assumeNotNull(${clickhouseNumber})))`})`,
    `${sql}("a" IS NOT NULL AND COALESCE(${duckdbNumber} ${sign} 5${sign === '=' ? '' : ` AND ISFINITE(${duckdbNumber})`}, FALSE))`,
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
