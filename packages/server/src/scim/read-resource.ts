import { isJsonObject } from '@tripline/common/json'
import { limits } from '../limits.ts'
import { findAttribute } from './resource-types.ts'
import type { Attribute, ResourceType } from './resource-types.ts'
import { createScimError } from './scim-error.ts'

/** A resource, its attributes under the names of its schema and with the types of it. */
export type Resource = { [name: string]: unknown }

/**
 * Reads the body of a request that adds or replaces a resource. What the schema does not know and what only the server sets is
 * left out (RFC 7644, section 3.5.1).
 *
 * @throws AppError with the type `invalidValue`.
 */
export function readResource(type: ResourceType, body: { readonly [name: string]: unknown }): Resource {
  const { schemas } = body
  const isOfType = schemas === undefined || (Array.isArray(schemas) && schemas.includes(type.schema))
  if (!isOfType) throw createScimError('invalidValue', `'schemas' must have ${type.schema}`)
  return readAttributes(type.attributes, body)
}

function readAttributes(attributes: readonly Attribute[], stated: { readonly [name: string]: unknown }): Resource {
  const read: Resource = {}
  for (const [name, value] of Object.entries(stated)) {
    const attribute = findAttribute(attributes, name)
    if (attribute === undefined || attribute.isReadOnly === true) continue
    const known = readAttributeValue(attribute, value)
    if (known !== undefined) read[attribute.name] = known
  }
  return read
}

/** Reads what is stated of an attribute; undefined for nothing. @throws AppError with the type `invalidValue`. */
export function readAttributeValue(attribute: Attribute, value: unknown): unknown {
  if (value === null || value === undefined) return undefined
  if (attribute.isMultiValued !== true) return readSingleValue(attribute, value)
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  const { valuesMax } = limits.scim
  if (values.length > valuesMax) throw createScimError('invalidValue', `'${attribute.name}' has more than ${valuesMax} values`)
  return keepOnePrimary(values.map((one) => readSingleValue(attribute, one)))
}

/** Reads one value; booleans may be texts, as Entra ID sends them. @throws AppError with the type `invalidValue`. */
export function readSingleValue(attribute: Attribute, value: unknown): unknown {
  const { name, type, subAttributes = [] } = attribute
  if (type === 'boolean') {
    if (typeof value === 'boolean') return value
    if (typeof value === 'string' && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true'
    throw createScimError('invalidValue', `'${name}' must be true or false`)
  }
  if (type === 'complex') {
    if (isJsonObject(value)) return readAttributes(subAttributes, value)
    if (typeof value === 'string' && findAttribute(subAttributes, 'value') !== undefined) return readAttributes(subAttributes, { value })
    throw createScimError('invalidValue', `'${name}' must be an object`)
  }
  if (typeof value !== 'string') throw createScimError('invalidValue', `'${name}' must be a text`)
  const { valueLengthMax } = limits.scim
  if (value.length > valueLengthMax) throw createScimError('invalidValue', `'${name}' has more than ${valueLengthMax} characters`)
  if (/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(value)) {
    throw createScimError('invalidValue', `'${name}' has characters that break a line or turn its direction`)
  }
  return value
}

/** Of values of which several are primary the last one stays it. */
export function keepOnePrimary(values: readonly unknown[]): unknown[] {
  const last = values.findLastIndex((value) => isJsonObject(value) && value['primary'] === true)
  return values.map((value, i) => (isJsonObject(value) && value['primary'] === true && i !== last ? { ...value, primary: false } : value))
}
