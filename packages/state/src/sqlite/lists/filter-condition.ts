import type { Comparison, Filter, FilterOperator, FilterValue } from '@tripline/model/lists/filter'
import type { FieldKind, ListField, ListFields } from '@tripline/model/lists/list-fields'
import { sql } from 'kysely'
import type { Expression, SqlBool } from 'kysely'
import { limits } from '../../limits.ts'
import { StoreError } from '../../ports/store-error.ts'
import { beginsWithText, containsText, isInNetwork, isUsuallyTrue } from '../query/dialect.ts'

/** The SQL of a field: a column, or an expression. Of a field with ranks it is the rank. */
export type FieldColumn = string | {
  readonly expression: Expression<unknown>
  /** Its name in a selected row, for fields that lists are sorted by. */
  readonly name?: string
  /** Whether a field of several texts holds one, if an index can tell. */
  readonly holds?: (text: string) => Expression<SqlBool>
}

/** The name of a list's entries, its fields, and the column of each; no other name gets into a statement. */
export type ListColumns = {
  readonly entries: string
  readonly fields: ListFields
  readonly columns: { readonly [field: string]: FieldColumn }
}

/**
 * Builds the SQL condition of a filter. It is true or false, never NULL, because no column in it is.
 *
 * @throws StoreError for an unknown field, an operator that the field does not support, a value of the wrong type, and
 *   anything over the limits.
 */
export function buildFilterCondition(list: ListColumns, filter: Filter): Expression<SqlBool> {
  checkSize(filter)
  return buildCondition(list, filter)
}

/** A named column or expression of selected rows. */
export type NamedColumn = { readonly name: string; readonly expression: Expression<unknown> }

/** The column of a sort field. @throws StoreError for a field that the list is not sorted by. */
export function findSortColumn(list: ListColumns, name: string): NamedColumn {
  const field = findField(list, name)
  if (field?.isSorted !== true) throw new StoreError('UNKNOWN_FIELD', `${list.entries} are not sorted by '${name}'`)
  return toNamedColumn(field.column)
}

/** A column by the name that selected rows have it under. */
export function toNamedColumn(column: FieldColumn): NamedColumn {
  if (typeof column === 'string') return { name: column.slice(column.indexOf('.') + 1), expression: sql.ref(column) }
  if (column.name === undefined) throw new Error('a field that lists are sorted by has a name in selected rows')
  return { name: column.name, expression: column.expression }
}

/**
 * Builds the condition that a text is in one of the columns, ignoring ASCII case. @throws StoreError for a text that is
 * too long.
 */
export function buildTextCondition(columns: readonly string[], text: string): Expression<SqlBool> {
  checkSearchText(text)
  return sql<SqlBool>`(${sql.join(columns.map((column) => containsText(sql.ref(column), text)), sql` or `)})`
}

type Column = ListField & { readonly column: FieldColumn }

function findField({ fields, columns }: ListColumns, name: string): Column | undefined {
  const [field, column] = [Object.hasOwn(fields, name) ? fields[name] : undefined, columns[name]]
  return field === undefined || column === undefined ? undefined : { ...field, column }
}

/** Checks the size before building anything; iterative, so no depth overflows the stack. */
function checkSize(filter: Filter): void {
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

function buildCondition(list: ListColumns, filter: Filter): Expression<SqlBool> {
  if ('and' in filter) return joinConditions(list, filter.and, sql` and `)
  if ('or' in filter) return joinConditions(list, filter.or, sql` or `)
  if ('not' in filter) return sql<SqlBool>`not (${buildCondition(list, filter.not)})`
  return buildComparison(list, filter)
}

function joinConditions(list: ListColumns, filters: readonly Filter[], by: ReturnType<typeof sql>): Expression<SqlBool> {
  if (filters.length === 0) refuse("'and' and 'or' of a filter need at least one part")
  return sql<SqlBool>`(${sql.join(filters.map((part) => buildCondition(list, part)), by)})`
}

/** What the column of each field kind holds, if not ranks: lists are JSON texts. */
const columnKinds = {
  text: 'text', word: 'text', ip: 'text', level: 'text', flag: 'number', number: 'number', instant: 'number',
  texts: 'texts', addresses: 'texts', tactic: 'texts', technique: 'texts',
} as const satisfies { readonly [kind in FieldKind]: string }

const comparisonSigns = {
  eq: sql`=`, ne: sql`<>`, gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=`,
}

const textTests = { prefix: beginsWithText, contains: containsText, cidr: isInNetwork }

function buildComparison(list: ListColumns, { field: name, operator, value }: Comparison): Expression<SqlBool> {
  const field = findField(list, name)
  if (field === undefined) throw new StoreError('UNKNOWN_FIELD', `${list.entries} have no field '${name}' to filter by`)
  const column = typeof field.column === 'string' ? sql.ref(field.column) : field.column.expression
  const held = field.ranks === undefined ? columnKinds[field.kind] : 'rank'
  const values = Array.isArray(value) ? value : [value]
  const isMany = operator === 'in' || operator === 'nin' || operator === 'between'
  if (isMany !== Array.isArray(value)) refuse(`'${operator}' of '${name}' takes ${isMany ? 'a list' : 'one value'}`)

  if (operator === 'exists') {
    const isEmpty = held === 'texts' ? sql<SqlBool>`${column} = '[]'` : sql<SqlBool>`${column} = ''`
    const isNever = held === 'number' || held === 'rank' ? sql<SqlBool>`1 = 0` : isEmpty
    if (typeof value !== 'boolean') refuse(`'exists' of '${name}' takes true or false`)
    return value === true ? sql<SqlBool>`not (${isNever})` : isNever
  }
  if (held === 'texts') return buildListComparison({ name, operator, values, holds: createListTest(field, column) })

  const texts = () => values.map((value) => (typeof value === 'string' ? value : refuse(`'${name}' is compared with texts`)))
  if (operator === 'prefix' || operator === 'contains' || operator === 'cidr') {
    if (held !== 'text') refuse(`'${name}' does not take '${operator}'`)
    const [text = ''] = texts()
    checkSearchText(text)
    return textTests[operator](column, text)
  }
  const bound = held === 'text' ? texts() : values.map((value) => toNumber(name, field.ranks, value))
  if (operator === 'in' || operator === 'nin') {
    if (bound.length === 0) return operator === 'in' ? sql<SqlBool>`1 = 0` : sql<SqlBool>`1 = 1`
    const isAmong = sql<SqlBool>`${column} in (${sql.join(bound)})`
    return operator === 'in' ? isAmong : sql<SqlBool>`not (${isAmong})`
  }
  if (operator === 'between') {
    if (bound.length !== 2) refuse(`'between' of '${name}' takes two values`)
    return sql<SqlBool>`${column} between ${bound[0]} and ${bound[1]}`
  }
  const comparison = sql<SqlBool>`${column} ${comparisonSigns[operator]} ${bound[0]}`
  return field.kind === 'instant' && operator !== 'eq' && operator !== 'ne' ? isUsuallyTrue(comparison) : comparison
}

/** Whether a list holds a text. */
type ListTest = (text: string) => Expression<SqlBool>

/** Without an index, a list holds a text if its JSON contains that of the text, quotes included. */
function createListTest({ kind, column }: Column, expression: Expression<unknown>): ListTest {
  if (typeof column !== 'string' && column.holds !== undefined) return column.holds
  return (value) => {
    const text = JSON.stringify(value)
    if (kind !== 'technique') return containsText(expression, text)
    // A sub-technique begins with its technique and a dot.
    return sql<SqlBool>`(${containsText(expression, text)} or ${containsText(expression, `${text.slice(0, -1)}.`)})`
  }
}

type ListComparison = {
  readonly name: string
  readonly operator: FilterOperator
  readonly values: readonly FilterValue[]
  readonly holds: ListTest
}

function buildListComparison({ name, operator, values, holds }: ListComparison): Expression<SqlBool> {
  const isNegative = operator === 'ne' || operator === 'nin'
  if (!isNegative && operator !== 'eq' && operator !== 'in') refuse(`'${name}' does not take '${operator}'`)
  const held = values.map((value) => holds(typeof value === 'string' ? value : refuse(`'${name}' is compared with texts`)))
  const isAny = held.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`(${sql.join(held, sql` or `)})`
  return isNegative ? sql<SqlBool>`not ${isAny}` : isAny
}

function toNumber(name: string, ranks: ListField['ranks'], value: FilterValue): number {
  if (ranks === undefined) return Number.isSafeInteger(value) ? Number(value) : refuse(`'${name}' is compared with whole numbers`)
  const known = new Map<FilterValue, number>(Object.entries(ranks))
  return known.get(value) ?? refuse(`'${name}' must be one of ${Object.keys(ranks).join(', ')}`)
}

function checkSearchText(text: string): void {
  const { soughtLengthMax } = limits.state
  if (text.length > soughtLengthMax) refuse(`a search text has at most ${soughtLengthMax} characters`)
}

function refuse(problem: string): never {
  throw new StoreError('INVALID_QUERY', problem)
}
