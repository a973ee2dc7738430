import { isJsonObject } from '@tripline/common/json'
import { getFieldNames } from '@tripline/model/lists/list-fields'
import { limits } from '../../limits.ts'
import type { ListDefinition } from '../lists/list-definition.ts'
import type { Route } from '../route.ts'
import { defineFilter } from './filter-schema.ts'
import { toJsonSchema } from './schemas.ts'
import type { Json, SharedSchemas } from './schemas.ts'

/** The parameters of an operation, in its path, query and headers. */
export function buildParameters(route: Route, operationId: string, schemas: SharedSchemas): Json[] {
  return [...buildPathParameters(route), ...buildQueryParameters(route, operationId, schemas), ...buildHeaderParameters(route)]
}

function buildPathParameters({ path }: Route): Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
}

function buildQueryParameters({ query, list }: Route, operationId: string, schemas: SharedSchemas): Json[] {
  if (query === undefined) return []
  const { properties, required } = toJsonSchema(query, 'input')
  if (!isJsonObject(properties)) return []
  return Object.entries(properties).flatMap(([name, schema]): Json[] => {
    const place = { name, in: 'query', required: Array.isArray(required) && required.includes(name) }
    if (list !== undefined && isListParameter(name)) return [buildListParameter(place, { name, list, operationId, schemas }) ?? []].flat()
    // Values of a list are separated by commas.
    const style = isJsonObject(schema) && schema['type'] === 'array' ? { style: 'form', explode: false } : {}
    return [{ ...place, ...style, schema }]
  })
}

const listParameterNames = ['sort', 'filters', 'limit', 'page', 'size'] as const
type ListParameterName = (typeof listParameterNames)[number]

function isListParameter(name: string): name is ListParameterName {
  return listParameterNames.some((known) => known === name)
}

type ListParameter = {
  readonly name: ListParameterName
  readonly list: ListDefinition
  readonly operationId: string
  readonly schemas: SharedSchemas
}

/** A parameter of the query contract as the list supports it; undefined if it does not. */
function buildListParameter(place: Json, { name, list, operationId, schemas }: ListParameter): Json | undefined {
  const count = { type: 'integer', minimum: 1, maximum: 999_999_999 }
  const { fields, sortDefault, limitMax, isByCursorOnly = false } = list
  const { sizeDefault, sizeMax, windowMax } = limits.page
  switch (name) {
    case 'sort': {
      const { field, direction } = sortDefault
      const pattern = `^(${getFieldNames(fields, 'isSorted').join('|')})(:(asc|desc))?$`
      const items = { type: 'string', pattern }
      const schema = { type: 'array', items, minItems: 1, maxItems: limits.state.sortKeysMax, uniqueItems: true }
      return { ...place, description: `Default: ${field}:${direction}`, style: 'form', explode: false, schema }
    }
    case 'filters': {
      if (getFieldNames(fields, 'isFiltered').length === 0) return undefined
      const { filterDepthMax, filterLeavesMax } = limits.state
      const bounds = `At most ${limits.lists.filterBytesMax} bytes, ${filterDepthMax} levels and ${filterLeavesMax} comparisons`
      const schema = defineFilter(schemas, operationId, fields)
      return { ...place, description: bounds, content: { 'application/json': { schema } } }
    }
    case 'limit':
      return { ...place, description: `Default: ${sizeDefault}. More than ${limitMax} are reduced to it`, schema: count }
    case 'size':
      if (isByCursorOnly) return undefined
      return { ...place, description: `Default: ${sizeDefault}. More than ${sizeMax} are reduced to it`, schema: count }
    case 'page':
      if (isByCursorOnly) return undefined
      return { ...place, description: `Default: 1. Reaches the first ${windowMax} entries; not with cursor or limit`, schema: count }
  }
}

function buildHeaderParameters({ method, headers = [], isIdempotent, checksVersion }: Route): Json[] {
  const build = (name: string, description: string): Json => {
    return { name, in: 'header', required: false, description, schema: { type: 'string' } }
  }
  const isConditional = method === 'GET' && headers.includes('ETag')
  return [
    ...(isIdempotent === true ? [build('Idempotency-Key', 'Executes the request once in 24 hours, and replays its response')] : []),
    ...(checksVersion === true ? [build('If-Match', 'Executes the request only for this ETag, or answers 412')] : []),
    ...(isConditional ? [build('If-None-Match', 'Answers 304 if the ETag is still this one')] : []),
  ]
}
