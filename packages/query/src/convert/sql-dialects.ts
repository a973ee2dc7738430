import type { ComparisonOperator, Test } from '@tripline/engine/predicate'
import { UnsayableError, joinConditions, listAddressPrefixes, printPatterns, printRegex } from './dialect.ts'
import type { QueryDialect } from './dialect.ts'

type ValueTest = Test['value']
type TestOf<Kind extends ValueTest['kind']> = Extract<ValueTest, { kind: Kind }>

/** What databases do differently. */
type SqlDatabase = {
  readonly name: string
  readonly quoteName: (name: string) => string
  readonly quoteText: (text: string) => string
  readonly toText: (column: string) => string
  /** Compares a text with a pattern of LIKE whose wildcards are escaped by a backslash. */
  readonly like: (text: string, pattern: string, isCased: boolean) => string
  /** Whether letters beyond ASCII are folded, too. */
  readonly foldsUnicode: boolean
  /** Compares as a number; false for what is none. */
  readonly compareNumber: (text: string, operator: string, number: string) => string
  /** Whether integers beyond 53 bits keep their digits. */
  readonly hasLargeIntegers: boolean
  readonly matchRegex?: (text: string, test: TestOf<'regex'>) => string
  /** Whether a text is an address of one of these networks; a database without addresses compares how they are written. */
  readonly matchNetwork?: (text: string, networks: readonly string[]) => string
  /** Whether a text is an address of IPv4, for a database that has none. */
  readonly isIpv4?: (text: string) => string
  readonly booleanTexts: (value: boolean) => readonly string[]
}

const operators: { readonly [O in ComparisonOperator]: string } = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' }

const doubleQuote = (name: string): string => `"${name.replaceAll('"', '""')}"`
const singleQuote = (text: string): string => `'${text.replaceAll("'", "''")}'`
const backslashQuote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
const octet = '(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])'
const castText = (column: string): string => `CAST(${column} AS TEXT)`

const sqlite: SqlDatabase = {
  name: 'SQLite',
  quoteName: doubleQuote,
  quoteText: singleQuote,
  toText: castText,
  like: (text, pattern, isCased) => {
    if (isCased) throw new UnsayableError('a case-sensitive comparison (SQLite compares with LIKE by the setting of the connection)')
    return `${text} LIKE ${pattern} ESCAPE '\\'`
  },
  foldsUnicode: false,
  compareNumber: (text, operator, number) => {
    // Compared with a number, a text becomes one only where all of it is one; every other text is above all numbers.
    return `(${text} <= CAST(9e999 AS NUMERIC) AND ${text} ${operator} CAST(${number} AS NUMERIC))`
  },
  hasLargeIntegers: true,
  isIpv4: (text) => {
    const aboveAll = ['*[0-9][0-9][0-9][0-9]*', '*[3-9][0-9][0-9]*', '*2[6-9][0-9]*', '*25[6-9]*']
    const others = ['*[^0-9.]*', '*.*.*.*.*', '*..*', '.*', '*.', ...aboveAll]
    return [`${text} GLOB '*.*.*.*'`, ...others.map((other) => `${text} NOT GLOB '${other}'`)].join(' AND ')
  },
  booleanTexts: (value) => [String(value), value ? '1' : '0'],
}

const postgresql: SqlDatabase = {
  name: 'PostgreSQL',
  quoteName: doubleQuote,
  quoteText: singleQuote,
  toText: castText,
  like: (text, pattern, isCased) => `${text} ${isCased ? 'LIKE' : 'ILIKE'} ${pattern}`,
  foldsUnicode: true,
  compareNumber: (text, operator, number) => {
    const expression = String.raw`^\s*[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,3})?\s*$`
    const isNumber = `LENGTH(${text}) <= 400 AND ${text} ~ '${expression}'`
    return `CASE WHEN ${isNumber} THEN CAST(${text} AS NUMERIC) ${operator} ${number} ELSE FALSE END`
  },
  hasLargeIntegers: true,
  matchRegex: (text, { source, ignoresCase, isMultiline, dotMatchesNewline }) => {
    // Its dialect is another one: what both read alike is a part.
    if (/\\[^dDsSwW.*+?()[\]{}|^$\\/"'`:;,<>=!@#%&~_ -]|\(\?|\[\^|\[\[/.test(source) || isMultiline) {
      throw new UnsayableError('a regular expression that PostgreSQL reads otherwise')
    }
    return `${text} ${ignoresCase ? '~*' : '~'} ${singleQuote(dotMatchesNewline ? source : `(?p)${source}`)}`
  },
  matchNetwork: (text, networks) => {
    const address = `split_part(BTRIM(${text}), '%', 1)`
    const isWithin = networks.map((network) => `CAST(${address} AS INET) <<= CAST(${singleQuote(network)} AS INET)`).join(' OR ')
    // A network of more than one address is valid, too, but none that an event has.
    return `CASE WHEN ${text} NOT LIKE '%/%' AND pg_input_is_valid(${address}, 'inet') THEN ${isWithin} ELSE FALSE END`
  },
  booleanTexts: (value) => [String(value)],
}

const clickhouse: SqlDatabase = {
  name: 'ClickHouse',
  quoteName: (name) => `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``,
  quoteText: backslashQuote,
  toText: (column) => `toString(${column})`,
  like: (text, pattern, isCased) => `${text} ${isCased ? 'LIKE' : 'ILIKE'} ${pattern}`,
  foldsUnicode: true,
  compareNumber: (text, operator, number) => {
    const found = `toFloat64OrNull(trimBoth(${text}))`
    const holds = `ifNull(${found} ${operator} ${number}, 0)`
    return operator === '=' ? holds : `(${holds} AND isFinite(assumeNotNull(${found})))`
  },
  hasLargeIntegers: false,
  matchRegex: (text, test) => `match(${text}, ${backslashQuote(`${test.dotMatchesNewline ? '' : '(?-s)'}${printRegex(test)}`)})`,
  matchNetwork: (text, networks) => {
    const address = `splitByChar('%', trimBoth(${text}))[1]`
    const isWithin = networks.map((network) => `isIPAddressInRange(${address}, ${backslashQuote(network)})`).join(' OR ')
    return `if(isIPv4String(${address}) OR isIPv6String(${address}), ${isWithin}, 0)`
  },
  booleanTexts: (value) => [String(value)],
}

const duckdb: SqlDatabase = {
  name: 'DuckDB',
  quoteName: doubleQuote,
  quoteText: singleQuote,
  toText: (column) => `CAST(${column} AS VARCHAR)`,
  like: (text, pattern, isCased) => `${text} ${isCased ? 'LIKE' : 'ILIKE'} ${pattern} ESCAPE '\\'`,
  foldsUnicode: true,
  compareNumber: (text, operator, number) => {
    const found = `TRY_CAST(${text} AS DOUBLE)`
    const holds = `${found} ${operator} ${number}`
    return `COALESCE(${operator === '=' ? holds : `${holds} AND ISFINITE(${found})`}, FALSE)`
  },
  hasLargeIntegers: false,
  isIpv4: (text) => `regexp_full_match(${text}, '(${octet}[.]){3}${octet}')`,
  matchRegex: (text, test) => `regexp_matches(${text}, ${singleQuote(printRegex(test))})`,
  booleanTexts: (value) => [String(value)],
}

/** Makes the dialect of a database: events are rows, fields are columns, NULL where a field is absent. */
function createSqlDialect(database: SqlDatabase): QueryDialect {
  return {
    and: (parts) => joinConditions(parts, 'AND'),
    or: (parts) => joinConditions(parts, 'OR'),
    not: (part) => `NOT (${part})`,
    constant: (value) => value ? '1 = 1' : '1 = 0',
    test: (field, value) => testColumn(database.quoteName(field), [value], database),
    anyTest: (field, values) => testColumn(database.quoteName(field), values, database),
    query: (condition, source) => `SELECT * FROM ${database.quoteName(source)} WHERE ${condition}`,
  }
}

/** States that a column passes one of the tests. */
function testColumn(column: string, values: readonly ValueTest[], database: SqlDatabase): string {
  const ofPresent = values.filter(({ kind }) => kind !== 'null' && kind !== 'exists')
  const parts = values.filter((value) => !ofPresent.includes(value)).map((value) =>
    value.kind === 'exists' && value.isPresent ? `${column} IS NOT NULL` : `${column} IS NULL`)
  // A comparison with NULL is neither true nor false, and neither is its negation.
  if (ofPresent.length > 0) {
    const tests = ofPresent.map((value) => testPresent(database.toText(column), value, database))
    parts.push(`(${column} IS NOT NULL AND ${joinConditions(tests, 'OR')})`)
  }
  return joinConditions(parts, 'OR')
}

function testPresent(text: string, value: ValueTest, database: SqlDatabase): string {
  switch (value.kind) {
    case 'text': return printLike(text, value, database)
    case 'number': return printNumber(text, '=', value, database)
    case 'compare': return printNumber(text, operators[value.operator], value, database)
    case 'boolean': {
      const texts = database.booleanTexts(value.value)
      return joinConditions(texts.map((one) => database.like(text, database.quoteText(one), false)), 'OR')
    }
    case 'regex':
      if (database.matchRegex === undefined) throw new UnsayableError(`a regular expression (${database.name} has none of its own)`)
      return database.matchRegex(text, value)
    case 'cidr': return printNetwork(text, value, database)
    case 'fieldRef': throw new UnsayableError('a comparison of two fields')
    case 'timePart': throw new UnsayableError('a part of a time')
    case 'instant': throw new UnsayableError('a comparison of times')
    case 'null':
    case 'exists': throw new Error(`${value.kind} is no test of a value`)
  }
}

function printNumber(text: string, operator: string, { value, text: exact }: TestOf<'number' | 'compare'>, database: SqlDatabase): string {
  if (exact !== undefined && !database.hasLargeIntegers) throw new UnsayableError(`the integer ${exact} (${database.name} rounds it)`)
  return database.compareNumber(text, operator, exact ?? String(value))
}

function printLike(text: string, { pattern, isCased }: TestOf<'text'>, database: SqlDatabase): string {
  const hasLetters = pattern.some((part) => part.kind === 'text' && /[^\p{ASCII}]/u.test(part.text)
    && part.text.toLowerCase() !== part.text.toUpperCase())
  if (!database.foldsUnicode && hasLetters) throw new UnsayableError(`letters beyond ASCII (${database.name} does not fold their case)`)
  const escape = (part: string): string => part.replaceAll(/[%_\\]/g, '\\$&')
  const patterns = printPatterns(pattern, { text: escape, any: '%', one: '_' })
  return joinConditions(patterns.map((one) => database.like(text, database.quoteText(one), isCased)), 'OR')
}

function printNetwork(text: string, test: TestOf<'cidr'>, database: SqlDatabase): string {
  const { text: network, version, network: address, prefixLength } = test
  if (database.matchNetwork !== undefined) {
    // An address of IPv4 may be written as one of IPv6.
    return database.matchNetwork(text, version === 6 ? [network] : [network, `::ffff:${network.split('/')[0]}/${96 + prefixLength}`])
  }
  if (version === 6) throw new UnsayableError(`a network of IPv6 (${database.name} has no addresses)`)
  const found = `REPLACE(LOWER(TRIM(${text})), '::ffff:', '')`
  const prefixes = listAddressPrefixes(address, prefixLength).map((prefix) => /^\d+\.\d+\.\d+\.\d+$/.test(prefix) ? prefix : `${prefix}%`)
  const isWithin = joinConditions(prefixes.map((prefix) => database.like(found, database.quoteText(prefix), false)), 'OR')
  return database.isIpv4 === undefined ? isWithin : `(${database.isIpv4(found)} AND ${isWithin})`
}

export const sqlDialects = {
  sqlite: createSqlDialect(sqlite), postgresql: createSqlDialect(postgresql),
  clickhouse: createSqlDialect(clickhouse), duckdb: createSqlDialect(duckdb),
} as const
