import type { ComparisonOperator, Test } from '@tripline/engine/predicate'
import { UnsayableError, listAddressPrefixes, printPatterns, printRegex } from './dialect.ts'
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
  readonly matchRegex?: (text: string, test: TestOf<'regex'>) => string
  readonly matchNetwork?: (text: string, network: string) => string
  readonly booleanTexts: (value: boolean) => readonly string[]
}

const operators: { readonly [O in ComparisonOperator]: string } = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' }

const doubleQuote = (name: string): string => `"${name.replaceAll('"', '""')}"`
const singleQuote = (text: string): string => `'${text.replaceAll("'", "''")}'`
const backslashQuote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
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
    const isNumber = `${text} GLOB '*[0-9]*' AND ${text} NOT GLOB '*[^0-9.eE+-]*'`
    return `CASE WHEN ${isNumber} THEN CAST(${text} AS REAL) ${operator} ${number} ELSE 0 END`
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
    return `CASE WHEN ${text} ~ '^[+-]?[0-9]+(\\.[0-9]+)?$' THEN CAST(${text} AS NUMERIC) ${operator} ${number} ELSE FALSE END`
  },
  matchRegex: (text, { source, ignoresCase, isMultiline, dotMatchesNewline }) => {
    // Its dialect is another one: what both read alike is a part.
    if (/\\[^dDsSwW.*+?()[\]{}|^$\\/"'`:;,<>=!@#%&~_ -]|\(\?|\[\^|\[\[/.test(source) || isMultiline) {
      throw new UnsayableError('a regular expression that PostgreSQL reads otherwise')
    }
    return `${text} ${ignoresCase ? '~*' : '~'} ${singleQuote(dotMatchesNewline ? source : `(?p)${source}`)}`
  },
  matchNetwork: (text, network) => {
    const isWithin = `CAST(${text} AS INET) <<= CAST(${singleQuote(network)} AS INET)`
    return `CASE WHEN pg_input_is_valid(${text}, 'inet') THEN ${isWithin} ELSE FALSE END`
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
  compareNumber: (text, operator, number) => `ifNull(toFloat64OrNull(${text}) ${operator} ${number}, 0)`,
  matchRegex: (text, test) => `match(${text}, ${backslashQuote(`${test.dotMatchesNewline ? '' : '(?-s)'}${printRegex(test)}`)})`,
  matchNetwork: (text, network) => {
    return `if(isIPv4String(${text}) OR isIPv6String(${text}), isIPAddressInRange(${text}, ${backslashQuote(network)}), 0)`
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
  compareNumber: (text, operator, number) => `COALESCE(TRY_CAST(${text} AS DOUBLE) ${operator} ${number}, FALSE)`,
  matchRegex: (text, test) => `regexp_matches(${text}, ${singleQuote(printRegex(test))})`,
  booleanTexts: (value) => [String(value)],
}

/** Makes the dialect of a database: events are rows, fields are columns, NULL where a field is absent. */
function createSqlDialect(database: SqlDatabase): QueryDialect {
  return {
    and: (parts) => join(parts, 'AND'),
    or: (parts) => join(parts, 'OR'),
    not: (part) => `NOT (${part})`,
    constant: (value) => value ? '1 = 1' : '1 = 0',
    test: (field, value) => testColumn(database.quoteName(field), value, database),
    query: (condition, source) => `SELECT * FROM ${database.quoteName(source)} WHERE ${condition}`,
  }
}

/**
 * A chain of conditions is a tree as deep as it is long: SQLite refuses one deeper than 1,000. So long chains are chains of
 * short ones.
 */
const chainLength = 100

function join(parts: readonly string[], word: string): string {
  if (parts.length === 1) return parts[0]!
  if (parts.length <= chainLength) return `(${parts.join(` ${word} `)})`
  const size = Math.ceil(parts.length / chainLength)
  return join(Array.from({ length: Math.ceil(parts.length / size) }, (_, at) => join(parts.slice(at * size, (at + 1) * size), word)), word)
}

function testColumn(column: string, value: ValueTest, database: SqlDatabase): string {
  const text = database.toText(column)
  // A comparison with NULL is neither true nor false, and neither is its negation.
  const present = (condition: string): string => `(${column} IS NOT NULL AND ${condition})`
  switch (value.kind) {
    case 'null': return `${column} IS NULL`
    case 'exists': return value.isPresent ? `${column} IS NOT NULL` : `${column} IS NULL`
    case 'text': return present(printLike(text, value, database))
    case 'number': return present(database.compareNumber(text, '=', value.text ?? String(value.value)))
    case 'compare': return present(database.compareNumber(text, operators[value.operator], value.text ?? String(value.value)))
    case 'boolean': {
      const texts = database.booleanTexts(value.value)
      return present(join(texts.map((one) => database.like(text, database.quoteText(one), false)), 'OR'))
    }
    case 'regex':
      if (database.matchRegex === undefined) throw new UnsayableError(`a regular expression (${database.name} has none of its own)`)
      return present(database.matchRegex(text, value))
    case 'cidr': return present(printNetwork(text, value, database))
    case 'fieldRef': throw new UnsayableError('a comparison of two fields')
    case 'timePart': throw new UnsayableError('a part of a time')
    case 'instant': throw new UnsayableError('a comparison of times')
  }
}

function printLike(text: string, { pattern, isCased }: TestOf<'text'>, database: SqlDatabase): string {
  const hasLetters = pattern.some((part) => part.kind === 'text' && /[^\p{ASCII}]/u.test(part.text)
    && part.text.toLowerCase() !== part.text.toUpperCase())
  if (!database.foldsUnicode && hasLetters) throw new UnsayableError(`letters beyond ASCII (${database.name} does not fold their case)`)
  const escape = (part: string): string => part.replaceAll(/[%_\\]/g, '\\$&')
  const patterns = printPatterns(pattern, { text: escape, any: '%', one: '_' })
  return join(patterns.map((one) => database.like(text, database.quoteText(one), isCased)), 'OR')
}

function printNetwork(text: string, test: TestOf<'cidr'>, database: SqlDatabase): string {
  const { text: network, version, network: address, prefixLength } = test
  if (database.matchNetwork !== undefined) return database.matchNetwork(text, network)
  if (version === 6) throw new UnsayableError(`a network of IPv6 (${database.name} has no addresses)`)
  const prefixes = listAddressPrefixes(address, prefixLength).map((prefix) => /^\d+\.\d+\.\d+\.\d+$/.test(prefix) ? prefix : `${prefix}%`)
  return join(prefixes.map((prefix) => database.like(text, database.quoteText(prefix), false)), 'OR')
}

export const sqlDialects = {
  sqlite: createSqlDialect(sqlite), postgresql: createSqlDialect(postgresql),
  clickhouse: createSqlDialect(clickhouse), duckdb: createSqlDialect(duckdb),
} as const
