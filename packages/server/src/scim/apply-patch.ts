import { isJsonObject } from '@tripline/common/json'
import { limits } from '../limits.ts'
import { matchesFilter } from './match-filter.ts'
import { parsePatchPath } from './parse-filter.ts'
import type { ScimFilter, PatchTarget } from './parse-filter.ts'
import { keepOnePrimary, readAttributeValue, readSingleValue } from './read-resource.ts'
import type { Resource } from './read-resource.ts'
import type { ResourceType } from './resource-types.ts'
import { createScimError } from './scim-error.ts'

const operators = ['add', 'remove', 'replace'] as const
type Operation = { readonly op: (typeof operators)[number]; readonly path: string | undefined; readonly value: unknown }

/**
 * Applies the operations of a PATCH to a resource in their order and returns the changed one (RFC 7644, section 3.5.2), also in
 * the forms that Entra ID and Okta send: operators in any case of letters, booleans as texts, no path with an object whose keys
 * are paths, and a replacement of values of which there is none, which adds one.
 *
 * @throws AppError with the types of SCIM.
 */
export function applyPatch(type: ResourceType, resource: Resource, body: { readonly [name: string]: unknown }): Resource {
  const patched = structuredClone(resource)
  for (const operation of readOperations(body)) applyOperation(type, patched, operation)
  return patched
}

function readOperations(body: { readonly [name: string]: unknown }): readonly Operation[] {
  const [, operations] = Object.entries(body).find(([name]) => name.toLowerCase() === 'operations') ?? []
  const { operationsMax } = limits.scim
  if (!Array.isArray(operations) || operations.length === 0) {
    throw createScimError('invalidSyntax', "'Operations' must be a list of operations")
  }
  if (operations.length > operationsMax) throw createScimError('tooMany', `the request has more than ${operationsMax} operations`)
  return operations.map((operation: unknown): Operation => {
    if (!isJsonObject(operation)) throw createScimError('invalidSyntax', 'an operation must be an object')
    const { op: stated, path, value } = operation
    const op = operators.find((name) => typeof stated === 'string' && stated.toLowerCase() === name)
    if (op === undefined) throw createScimError('invalidSyntax', "'op' must be add, remove or replace")
    if (path !== undefined && path !== null && typeof path !== 'string') throw createScimError('invalidPath', "'path' must be a text")
    return { op, path: typeof path === 'string' && path !== '' ? path : undefined, value }
  })
}

function applyOperation(type: ResourceType, resource: Resource, { op, path, value }: Operation): void {
  if (path !== undefined) {
    const target = parsePatchPath(type, path)
    if (target === undefined) return
    if (target.attribute.isReadOnly === true) throw createScimError('mutability', `'${target.attribute.name}' cannot be changed`)
    return applyAtTarget(resource, { op, target, value })
  }
  if (op === 'remove') throw createScimError('noTarget', "an operation 'remove' must have a path")
  if (!isJsonObject(value)) throw createScimError('invalidValue', 'the value of an operation without a path must be an object')
  for (const [key, one] of Object.entries(value)) {
    if (key.toLowerCase() === 'schemas') continue
    const target = parsePatchPath(type, key)
    if (target !== undefined && target.attribute.isReadOnly !== true) applyAtTarget(resource, { op, target, value: one })
  }
}

type TargetedOperation = { readonly op: Operation['op']; readonly target: PatchTarget; readonly value: unknown }

function applyAtTarget(resource: Resource, { op, target, value }: TargetedOperation): void {
  const { attribute } = target
  const current = resource[attribute.name]
  const next = attribute.isMultiValued === true
    ? changeValues(Array.isArray(current) ? current : [], { op, target, value })
    : changeValue(isJsonObject(current) ? current : {}, { op, target, value })
  const isNothing = next === undefined || (Array.isArray(next) ? next.length === 0 : isJsonObject(next) && Object.keys(next).length === 0)
  if (isNothing) delete resource[attribute.name]
  else resource[attribute.name] = next
}

function changeValue(current: { readonly [name: string]: unknown }, { op, target: { attribute, sub }, value }: TargetedOperation): unknown {
  if (sub !== undefined) return setSubValue(current, sub, op === 'remove' ? undefined : value)
  if (op === 'remove') return undefined
  const read = readAttributeValue(attribute, value)
  return attribute.type === 'complex' && isJsonObject(read) ? { ...current, ...read } : read
}

type SubAttribute = NonNullable<PatchTarget['sub']>

function setSubValue(current: { readonly [name: string]: unknown }, sub: SubAttribute, value: unknown): Resource {
  const { [sub.name]: _old, ...others } = current
  const read = readAttributeValue(sub, value)
  return read === undefined ? others : { ...others, [sub.name]: read }
}

function changeValues(current: readonly unknown[], operation: TargetedOperation): readonly unknown[] {
  const { op, target: { attribute, filter, sub }, value } = operation
  if (filter !== undefined || sub !== undefined) return changeSome(current, operation)
  if (op === 'replace') return listValues(attribute, value)
  if (op === 'add') return addValues(current, listValues(attribute, value))
  if (value === undefined || value === null) return []
  // Entra ID names the members to remove in the value.
  const removed = new Set(listValues(attribute, value).map(readKey))
  return current.filter((one) => !removed.has(readKey(one)))
}

function listValues(attribute: PatchTarget['attribute'], value: unknown): readonly unknown[] {
  const read = readAttributeValue(attribute, value)
  return Array.isArray(read) ? read : []
}

/** Adds values; one that is there is changed. */
function addValues(current: readonly unknown[], added: readonly unknown[]): readonly unknown[] {
  const byKey = new Map(current.map((one) => [readKey(one), one]))
  const isNewPrimary = added.some((one) => isJsonObject(one) && one['primary'] === true)
  for (const one of added) {
    const known = byKey.get(readKey(one))
    byKey.delete(readKey(one))
    byKey.set(readKey(one), isJsonObject(known) && isJsonObject(one) ? { ...known, ...one } : one)
  }
  const { valuesMax } = limits.scim
  if (byKey.size > valuesMax) throw createScimError('tooMany', `an attribute has at most ${valuesMax} values`)
  return isNewPrimary ? keepOnePrimary([...byKey.values()]) : [...byKey.values()]
}

/** What a value is known by. */
function readKey(value: unknown): unknown {
  return isJsonObject(value) ? value['value'] : value
}

/** Changes the values that a filter selects, or all of them. */
function changeSome(current: readonly unknown[], { op, target: { attribute, filter, sub }, value }: TargetedOperation): readonly unknown[] {
  const isSelected = (one: unknown): boolean => isJsonObject(one) && (filter === undefined || matchesFilter(filter, one))
  if (op === 'remove') {
    if (sub === undefined) return current.filter((one) => !isSelected(one))
    return current.map((one) => (isJsonObject(one) && isSelected(one) ? setSubValue(one, sub, undefined) : one))
  }
  const change = (one: { readonly [name: string]: unknown }): Resource => {
    if (sub !== undefined) return setSubValue(one, sub, value)
    const read = readSingleValue(attribute, value)
    return isJsonObject(read) ? { ...one, ...read } : { ...one }
  }
  const others = current.filter((one) => !isSelected(one))
  const selected = current.filter(isJsonObject).filter(isSelected)
  // What was changed comes last, so that it stays primary where it became so.
  return keepOnePrimary([...others, ...(selected.length === 0 ? [createSelected(filter)] : selected).map(change)])
}

/** A value as a filter selects it, such as one of the type `work`. @throws AppError `noTarget` where the filter says no more than that. */
function createSelected(filter: ScimFilter | undefined): Resource {
  if (filter === undefined) return {}
  const parts = filter.kind === 'and' ? filter.parts : [filter]
  return Object.fromEntries(parts.map((part) => {
    const attribute = part.kind === 'compare' && part.op === 'eq' ? part.path?.at(-1) : undefined
    if (attribute === undefined || part.kind !== 'compare') {
      throw createScimError('noTarget', 'no value is as the filter of the path wants it')
    }
    return [attribute.name, readAttributeValue(attribute, part.value)]
  }))
}
