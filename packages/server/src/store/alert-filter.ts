import { sql } from 'kysely'
import type { Expression, SqlBool } from 'kysely'
import { AppError } from '../domain/app-error.ts'
import { levelRank } from '../domain/level.ts'
import { limits } from '../limits.ts'
import { beginsWithText, containsText } from './dialect.ts'
import type { AlertRow } from './tables.ts'

/** A condition over alerts (section 3.3). */
export type AlertFilter =
  | { readonly and: readonly AlertFilter[] }
  | { readonly or: readonly AlertFilter[] }
  | { readonly not: AlertFilter }
  | AlertComparison

export type AlertComparison = {
  readonly field: string
  readonly operator: FilterOperator
  /** A list for `in`, `nin` and `between`, which takes both ends; true or false for `exists`. Instants are milliseconds. */
  readonly value: FilterValue | readonly FilterValue[]
}

export type FilterValue = string | number | boolean

export type FilterOperator = (typeof filterOperators)[number]
export const filterOperators = ['eq', 'ne', 'in', 'nin', 'gt', 'gte', 'lt', 'lte', 'between', 'exists', 'prefix', 'contains'] as const

export type AlertSortKey = { readonly field: string; readonly direction: 'asc' | 'desc' }

type AlertField = {
  readonly column: keyof AlertRow
  readonly kind: 'text' | 'list' | 'number' | 'level'
  readonly isSorted?: true
}

/** What alerts can be filtered and sorted by (Table 3.2); nothing else ever becomes a column of a statement. */
const alertFields = {
  severity: { column: 'level', kind: 'level', isSorted: true },
  status: { column: 'status', kind: 'text', isSorted: true },
  rule_id: { column: 'ruleId', kind: 'text' },
  rule_title: { column: 'ruleTitle', kind: 'text', isSorted: true },
  host: { column: 'host', kind: 'text', isSorted: true },
  user: { column: 'userName', kind: 'text' },
  process: { column: 'processName', kind: 'text' },
  source: { column: 'source', kind: 'text' },
  source_ip: { column: 'sourceIp', kind: 'text' },
  tactic: { column: 'tactics', kind: 'list' },
  technique: { column: 'techniques', kind: 'list' },
  assignee: { column: 'assignee', kind: 'text' },
  verdict: { column: 'verdict', kind: 'text' },
  created_at: { column: 'createdAt', kind: 'number', isSorted: true },
  updated_at: { column: 'updatedAt', kind: 'number', isSorted: true },
  event_count: { column: 'eventCount', kind: 'number', isSorted: true },
  incident_id: { column: 'incidentId', kind: 'text' },
  asset_criticality: { column: 'assetCriticality', kind: 'text' },
} satisfies { readonly [name: string]: AlertField }

/**
 * Makes a condition of SQL of a filter. It is either true or false, as no column in it is ever NULL.
 *
 * @throws AppError for a field that is none, an operator that the field does not take, a value of the wrong type,
 *   and more of anything than the limits allow.
 */
export function alertCondition(filter: AlertFilter): Expression<SqlBool> {
  checkSize(filter)
  return conditionOf(filter)
}

/** Whether a filter asks for nothing but status and severity, by which alerts are counted as they change. */
export function isCounted(filter: AlertFilter | undefined): boolean {
  if (filter === undefined) return true
  if ('and' in filter) return filter.and.every(isCounted)
  if ('or' in filter) return filter.or.every(isCounted)
  if ('not' in filter) return isCounted(filter.not)
  return filter.field === 'status' || filter.field === 'severity'
}

/** The column that a list is sorted by. @throws AppError for a field that lists are not sorted by. */
export function sortColumn(name: string): keyof AlertRow {
  const field = fieldNamed(name)
  if (field?.isSorted !== true) throw new AppError('INVALID_QUERY_FIELD', `alerts are not sorted by '${name}'`)
  return field.column
}

/** @throws AppError for a text that is too long to be looked for. */
export function checkSought(text: string): void {
  const { soughtLengthMax } = limits.state
  if (text.length > soughtLengthMax) refuse(`a text of more than ${soughtLengthMax} characters is not looked for`)
}

function fieldNamed(name: string): AlertField | undefined {
  return Object.hasOwn(alertFields, name) ? (alertFields as { readonly [name: string]: AlertField })[name] : undefined
}

/** Counts before anything is built; walks without recursion, so that no depth is too much for it. */
function checkSize(filter: AlertFilter): void {
  const { filterDepthMax, filterLeavesMax, filterValuesMax } = limits.state
  let leafCount = 0
  let valueCount = 0
  const open = [{ filter, depth: 1 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { filter, depth } = next
    if (depth > filterDepthMax) refuse(`a filter has more than ${filterDepthMax} levels`)
    const parts = 'and' in filter ? filter.and : 'or' in filter ? filter.or : 'not' in filter ? [filter.not] : []
    for (const part of parts) open.push({ filter: part, depth: depth + 1 })
    if (!('field' in filter)) continue
    leafCount++
    valueCount += Array.isArray(filter.value) ? filter.value.length : 1
    if (leafCount > filterLeavesMax) refuse(`a filter has more than ${filterLeavesMax} comparisons`)
    if (valueCount > filterValuesMax) refuse(`a filter has more than ${filterValuesMax} values`)
  }
}

function conditionOf(filter: AlertFilter): Expression<SqlBool> {
  if ('and' in filter) return joined(filter.and, sql` and `)
  if ('or' in filter) return joined(filter.or, sql` or `)
  if ('not' in filter) return sql<SqlBool>`not (${conditionOf(filter.not)})`
  return comparisonOf(filter)
}

function joined(filters: readonly AlertFilter[], by: ReturnType<typeof sql>): Expression<SqlBool> {
  if (filters.length === 0) refuse("'and' and 'or' of a filter take at least one part")
  return sql<SqlBool>`(${sql.join(filters.map(conditionOf), by)})`
}

function comparisonOf({ field: name, operator, value }: AlertComparison): Expression<SqlBool> {
  const field = fieldNamed(name)
  if (field === undefined) throw new AppError('INVALID_QUERY_FIELD', `alerts have no field '${name}' to filter by`)
  const column = sql.ref(field.column)
  const values = Array.isArray(value) ? value : [value]
  const isMany = operator === 'in' || operator === 'nin' || operator === 'between'
  if (isMany !== Array.isArray(value)) refuse(`'${operator}' of '${name}' takes ${isMany ? 'a list' : 'one value'}`)

  if (operator === 'exists') {
    const isEmpty = field.kind === 'list' ? sql<SqlBool>`${column} = '[]'` : sql<SqlBool>`${column} = ''`
    const isNever = field.kind === 'number' || field.kind === 'level' ? sql<SqlBool>`1 = 0` : isEmpty
    if (typeof value !== 'boolean') refuse(`'exists' of '${name}' takes true or false`)
    return value === true ? sql<SqlBool>`not (${isNever})` : isNever
  }
  if (field.kind === 'list') return listComparison(name, operator, column, values)

  const texts = () => values.map((value) => (typeof value === 'string' ? value : refuse(`'${name}' is compared with texts`)))
  if (operator === 'prefix' || operator === 'contains') {
    if (field.kind !== 'text') refuse(`'${name}' does not take '${operator}'`)
    const [text = ''] = texts()
    checkSought(text)
    return operator === 'prefix' ? beginsWithText(column, text) : containsText(column, text)
  }
  const bound = field.kind === 'text' ? texts() : values.map((value) => numberOf(name, field.kind, value))
  if (operator === 'in' || operator === 'nin') {
    if (bound.length === 0) return operator === 'in' ? sql<SqlBool>`1 = 0` : sql<SqlBool>`1 = 1`
    return operator === 'in' ? sql<SqlBool>`${column} in (${sql.join(bound)})` : sql<SqlBool>`${column} not in (${sql.join(bound)})`
  }
  if (operator === 'between') {
    if (bound.length !== 2) refuse(`'between' of '${name}' takes two values`)
    return sql<SqlBool>`${column} between ${bound[0]} and ${bound[1]}`
  }
  return sql<SqlBool>`${column} ${comparisonSigns[operator]} ${bound[0]}`
}

const comparisonSigns = {
  eq: sql`=`, ne: sql`<>`, gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=`,
}

/** A list holds a text where its JSON holds the text's JSON: between its quotes nothing else can stand. */
function listComparison(
  name: string,
  operator: FilterOperator,
  column: Expression<unknown>,
  values: readonly FilterValue[],
): Expression<SqlBool> {
  const isNegative = operator === 'ne' || operator === 'nin'
  if (!isNegative && operator !== 'eq' && operator !== 'in') refuse(`'${name}' does not take '${operator}'`)
  const held = values.map((value) => {
    if (typeof value !== 'string') return refuse(`'${name}' is compared with texts`)
    checkSought(value)
    return containsText(column, JSON.stringify(value))
  })
  const isAny = held.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`(${sql.join(held, sql` or `)})`
  return isNegative ? sql<SqlBool>`not ${isAny}` : isAny
}

function numberOf(name: string, kind: AlertField['kind'], value: FilterValue): number {
  if (kind === 'number') return Number.isSafeInteger(value) ? Number(value) : refuse(`'${name}' is compared with whole numbers`)
  const ranks = new Map<FilterValue, number>(Object.entries(levelRank))
  return ranks.get(value) ?? refuse(`'${name}' is one of ${Object.keys(levelRank).join(', ')}`)
}

function refuse(problem: string): never {
  throw new AppError('INVALID_PARAMETER', problem)
}
