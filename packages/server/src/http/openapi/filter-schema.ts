import type { FilterOperator } from '@tripline/model/lists/filter'
import { operatorsByKind } from '@tripline/model/lists/list-fields'
import type { FieldKind, ListField, ListFields } from '@tripline/model/lists/list-fields'
import { limits } from '../../limits.ts'
import { levelsBySeverity } from '../lists/severity-filter.ts'
import type { Json, SharedSchemas } from './schemas.ts'

/** Defines the filter expressions of a list, with the operators of each field, and returns a reference to them. */
export function defineFilter(schemas: SharedSchemas, name: string, fields: ListFields): Json {
  const filter = { $ref: `#/components/schemas/${name}Filter` }
  const part = (key: string, schema: Json): Json => {
    return { type: 'object', properties: { [key]: schema }, required: [key], additionalProperties: false }
  }
  const parts = { type: 'array', minItems: 1, items: filter }
  const comparison = schemas.define(`${name}Comparison`, { anyOf: buildComparisons(fields) })
  return schemas.define(`${name}Filter`, { anyOf: [part('and', parts), part('or', parts), part('not', filter), comparison] })
}

/** Comparisons by kind of field: fields with the same values share theirs. */
function buildComparisons(fields: ListFields): readonly Json[] {
  const filtered = Object.entries(fields).filter(([, field]) => field.isFiltered === true)
  const alike = Map.groupBy(filtered, ([, { kind, words = {} }]) => JSON.stringify([kind, Object.keys(words)]))
  return [...alike.values()].flatMap((group) => {
    const names = group.map(([name]) => name)
    const field = group[0]?.[1]
    return field === undefined ? [] : buildOfKind(names, field)
  })
}

const maxItems = limits.lists.filterValuesOfOneMax

const operatorGroups: readonly { readonly group: readonly FilterOperator[]; readonly toValue: (value: Json) => Json }[] = [
  { group: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'prefix', 'contains'], toValue: (value) => value },
  { group: ['in', 'nin'], toValue: (items) => ({ type: 'array', items, maxItems }) },
  { group: ['between'], toValue: (items) => ({ type: 'array', items, minItems: 2, maxItems: 2 }) },
  { group: ['exists'], toValue: () => ({ type: 'boolean' }) },
  { group: ['cidr'], toValue: () => ({ type: 'string', description: 'A network, such as 10.0.0.0/8' }) },
]

function buildOfKind(names: readonly string[], field: ListField): readonly Json[] {
  const value = buildValue(field)
  const operators = operatorsByKind[field.kind]
  return operatorGroups.flatMap(({ group, toValue }) => {
    const ops = group.filter((operator) => operators.includes(operator))
    if (ops.length === 0) return []
    return [{
      type: 'object',
      properties: { field: { enum: names }, op: { enum: ops }, value: toValue(value) },
      required: ['field', 'op', 'value'],
      additionalProperties: false,
    }]
  })
}

const text = { type: 'string', maxLength: limits.state.soughtLengthMax }
const valuesByKind: { readonly [Kind in FieldKind]: Json } = {
  text,
  texts: text,
  word: text,
  level: { enum: Object.keys(levelsBySeverity) },
  flag: { type: 'boolean' },
  number: { type: 'integer' },
  ip: { type: 'string', description: 'An IPv4 or IPv6 address' },
  addresses: { type: 'string', description: 'An IPv4 or IPv6 address' },
  instant: { type: 'string', description: 'An RFC 3339 time or a date' },
  tactic: { type: 'string', description: 'A tactic, such as execution or TA0002' },
  technique: { type: 'string', description: 'A technique, such as T1059 or T1059.001', pattern: '^[Tt][0-9]{4}([.][0-9]{3})?$' },
}

function buildValue({ kind, words = {} }: ListField): Json {
  return kind === 'word' ? { enum: Object.keys(words) } : valuesByKind[kind]
}
