import type { Predicate } from '@tripline/engine/predicate'
import { UnsayableError } from './dialect.ts'
import type { QueryDialect } from './dialect.ts'
import { searchDialects } from './search-dialects.ts'
import { sqlDialects } from './sql-dialects.ts'

/** The languages that predicates are converted to, and what each expects of its data. */
export const queryTargets = {
  sqlite: 'SQLite: a row for each event, a column for each field, NULL where it is absent; LIKE ignores case, as is the default',
  postgresql: 'PostgreSQL 16 or later: rows and columns as for SQLite',
  clickhouse: 'ClickHouse: rows and columns as for SQLite; Nullable columns; a larger max_query_size for rules with thousands of values',
  duckdb: 'DuckDB: rows and columns as for SQLite; it and SQLite do not tell columns by case, and compare addresses as written',
  lucene: "Lucene's query string in OpenSearch and Elasticsearch: keyword fields whose normalizer folds case, numbers where a rule "
    + 'compares them, ip where it asks for networks; a larger indices.query.bool.max_clause_count for rules with more than 1,024 values',
  esql: 'ES|QL of Elasticsearch (its grammar takes the queries; they did not run there)',
  spl: "Splunk's search command: fields as they are extracted (the queries did not run in Splunk)",
  kql: 'Kusto (KQL) of Microsoft Sentinel and Defender: absent texts are empty (its parser takes the queries; they did not run there)',
} as const
export type QueryTarget = keyof typeof queryTargets

const dialects: { readonly [T in QueryTarget]: QueryDialect } = { ...sqlDialects, ...searchDialects }
const depthMax = 200

/** A query that matches the same events, or the first part that the language cannot state. */
export type ConvertedPredicate = { readonly query: string } | { readonly unsaid: string }

/** Converts a predicate to a query of another language over `source`, a table or index: exactly, or not at all. */
export function convertPredicate(predicate: Predicate, target: QueryTarget, source: string): ConvertedPredicate {
  const dialect = dialects[target]
  try {
    return { query: dialect.query(printCondition(predicate, dialect, 0), source) }
  } catch (error) {
    if (error instanceof UnsayableError) return { unsaid: error.message }
    throw error
  }
}

function printCondition(predicate: Predicate, dialect: QueryDialect, depth: number): string {
  if (depth > depthMax) throw new UnsayableError(`conditions nested deeper than ${depthMax}`)
  switch (predicate.kind) {
    case 'constant': return dialect.constant(predicate.value)
    case 'group': return printCondition(predicate.of, dialect, depth + 1)
    case 'not': return dialect.not(printCondition(predicate.of, dialect, depth + 1))
    case 'and':
      if (predicate.of.length === 0) return dialect.constant(true)
      return dialect.and(predicate.of.map((part) => printCondition(part, dialect, depth + 1)))
    case 'or':
      if (predicate.of.length === 0) return dialect.constant(false)
      return printAnyOfOneField(predicate.of, dialect) ?? dialect.or(predicate.of.map((part) => printCondition(part, dialect, depth + 1)))
    case 'elements': throw new UnsayableError(`a condition on elements of the list '${predicate.field}'`)
    case 'test': {
      if (predicate.field === undefined) throw new UnsayableError('a keyword, which is compared with every field')
      return dialect.test(predicate.field, predicate.value)
    }
  }
}

/** A list of values of one field, which is what most conditions are; undefined for others. */
function printAnyOfOneField(parts: readonly Predicate[], { anyTest }: QueryDialect): string | undefined {
  const tests = parts.filter((part) => part.kind === 'test')
  const field = tests[0]?.field
  const isOneField = tests.length === parts.length && tests.every((test) => test.field === field)
  if (anyTest === undefined || field === undefined || !isOneField) return undefined
  return anyTest(field, tests.map(({ value }) => value))
}
