import { limits } from '../limits.ts'
import type { EventObject } from './event.ts'
import { printJson } from './json-text.ts'

/** A value that comparisons can look at. */
export type Scalar = string | number | boolean | null

/**
 * What a field holds: undefined when it is absent, a list when an array stands on its path (D-11, D-12).
 * A list holds the elements of nested arrays too and may be empty: present, but equal to nothing.
 * An object is its JSON text, because rules search it as text (docs/decisions/0006-object-comparison.md).
 */
export type FieldValue = Scalar | undefined | readonly Scalar[]

/** The text or texts that string comparisons look at; null where there is none. */
export type FieldText = string | null | readonly string[]

/**
 * Looks up a field by name (D-12): a key of exactly this name first, else the name's dots as steps into
 * nested objects, where every element of an array on the way is followed.
 */
export function lookUp(event: EventObject, name: string): FieldValue {
  if (Object.hasOwn(event, name)) return toFieldValue(event[name])
  return name.includes('.') ? followPath(event, name.split('.')) : undefined
}

/**
 * The elements that a field holds, as they are: those of a list, and of every list where the path leads to
 * several; a value that is no list is one element, an absent one none.
 */
export function listElements(event: EventObject, name: string): readonly unknown[] {
  const values = Object.hasOwn(event, name) ? [event[name]] : collectValues(event, name.split('.')).values
  return values.flat(1).filter((value) => value !== undefined).slice(0, limits.eventListElementsMax)
}

/** The text of a scalar for string comparisons: numbers and booleans in their canonical form; null has none. */
export function toText(value: Scalar): string | null {
  return typeof value === 'string' ? value : value === null ? null : String(value)
}

/** The texts of a field's value. */
export function toTexts(value: FieldValue): FieldText {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return null
  if (typeof value !== 'object') return String(value)
  return value.map(toText).filter((text) => text !== null)
}

/** Looks up what stands at the end of steps into nested objects; every element of an array on the way is followed. */
export function followPath(event: EventObject, steps: readonly string[]): FieldValue {
  const { values, sawArray } = collectValues(event, steps)
  if (values.length === 0) return undefined
  return sawArray ? toScalars(values) : toFieldValue(values[0])
}

/** What stands at the end of a path: one value, or one for each element of the arrays on the way. */
function collectValues(event: EventObject, steps: readonly string[]): { readonly values: readonly unknown[]; readonly sawArray: boolean } {
  let values: unknown[] = [event]
  let sawArray = false
  for (const step of steps) {
    const next: unknown[] = []
    for (const value of values) {
      if (Array.isArray(value)) {
        sawArray = true
        for (const element of flattenArray(value)) pushMember(element, step, next)
      } else pushMember(value, step, next)
    }
    values = next
  }
  return { values, sawArray }
}

function pushMember(value: unknown, step: string, out: unknown[]): void {
  if (!isObject(value) || !Object.hasOwn(value, step)) return
  const member = value[step]
  if (member !== undefined) out.push(member)
}

/** Whether a value has fields: an object that is no array. */
export function isObject(value: unknown): value is EventObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What rules see of a value. */
export function toFieldValue(value: unknown): FieldValue {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return value
    case 'bigint':
      return String(value)
    case 'object':
      if (value === null) return null
      return Array.isArray(value) ? toScalars(value) : printJson(value)
    default:
      return undefined
  }
}

function toScalars(array: readonly unknown[]): readonly Scalar[] {
  const scalars: Scalar[] = []
  for (const element of flattenArray(array)) {
    const value = toFieldValue(element)
    if (value !== undefined && (value === null || typeof value !== 'object')) scalars.push(value)
  }
  return scalars
}

/**
 * The elements of an array and of the arrays in it, in order. Walks without recursion, because nesting is
 * the sender's choice, and visits at most `limits.eventListElementsMax` of them.
 */
export function* flattenArray(array: readonly unknown[]): Generator<unknown> {
  const open: { readonly items: readonly unknown[]; at: number }[] = [{ items: array, at: 0 }]
  let visitedCount = 0
  for (let top = open.at(-1); top !== undefined && visitedCount < limits.eventListElementsMax; top = open.at(-1)) {
    if (top.at >= top.items.length) {
      open.pop()
      continue
    }
    visitedCount++
    const element = top.items[top.at++]
    if (Array.isArray(element)) open.push({ items: element, at: 0 })
    else yield element
  }
}
