import { isJsonObject } from '@tripline/common/json'
import type { AttributePath, ComparedValue, ScimOperator, ScimFilter } from './parse-filter.ts'
import { findAttribute } from './resource-types.ts'
import type { Attribute } from './resource-types.ts'

type Json = { readonly [name: string]: unknown }

/** Whether a resource, or a value of an attribute, satisfies a filter. */
export function matchesFilter(filter: ScimFilter, resource: Json): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => matchesFilter(part, resource))
    case 'or':
      return filter.parts.some((part) => matchesFilter(part, resource))
    case 'not':
      return !matchesFilter(filter.part, resource)
    case 'present':
      return readValues(filter.path, resource).length > 0
    case 'some':
      return readElements(filter.path, resource).some((element) => isJsonObject(element) && matchesFilter(filter.filter, element))
    case 'compare':
      return matchesComparison(filter, resource)
  }
}

type ComparisonFilter = Extract<ScimFilter, { readonly kind: 'compare' }>

function matchesComparison({ path, op, value: wanted }: ComparisonFilter, resource: Json): boolean {
  const values = readValues(path, resource)
  if (wanted === null) return (values.length === 0) === (op === 'eq')
  const attribute = findCompared(path)
  const isEqual = (value: unknown): boolean => compareValues(attribute, 'eq', value, wanted)
  if (op === 'ne') return !values.some(isEqual)
  return values.some((value) => compareValues(attribute, op, value, wanted))
}

/** The attribute whose values are compared: of one with several parts its sub-attribute `value`. */
function findCompared(path: AttributePath): Attribute | undefined {
  const attribute = path?.at(-1)
  return attribute?.type === 'complex' ? findAttribute(attribute.subAttributes ?? [], 'value') : attribute
}

function readElements(path: AttributePath, resource: Json): readonly unknown[] {
  const [attribute] = path ?? []
  const found = attribute === undefined ? undefined : resource[attribute.name]
  return Array.isArray(found) ? found : found === undefined ? [] : [found]
}

function readValues(path: AttributePath, resource: Json): readonly unknown[] {
  const sub = path?.[1]?.name
  return readElements(path, resource)
    .map((element) => (isJsonObject(element) ? element[sub ?? 'value'] ?? (sub === undefined ? element : undefined) : element))
    .filter((value) => value !== undefined && value !== '')
}

function compareValues(attribute: Attribute | undefined, op: ScimOperator, value: unknown, wanted: ComparedValue): boolean {
  if (typeof value === 'boolean') return op === 'eq' && String(value) === String(wanted).toLowerCase()
  if (typeof value !== 'string' || typeof wanted !== 'string') return false
  if (attribute?.type === 'dateTime') return compareOrder(op, Date.parse(value) - Date.parse(wanted))
  const fold = (text: string): string => (attribute?.isCaseExact === true ? text : text.toLowerCase())
  const [here, there] = [fold(value), fold(wanted)]
  switch (op) {
    case 'co':
      return here.includes(there)
    case 'sw':
      return here.startsWith(there)
    case 'ew':
      return here.endsWith(there)
    default:
      return compareOrder(op, here < there ? -1 : here > there ? 1 : 0)
  }
}

/** Whether a difference is as an operator wants it; that of no date is as none does. */
function compareOrder(op: ScimOperator, difference: number): boolean {
  switch (op) {
    case 'eq':
      return difference === 0
    case 'gt':
      return difference > 0
    case 'ge':
      return difference >= 0
    case 'lt':
      return difference < 0
    case 'le':
      return difference <= 0
    default:
      return false
  }
}
