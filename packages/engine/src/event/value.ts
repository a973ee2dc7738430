import { limits } from '../limits.ts'
import type { EventObject } from './event.ts'

/** A value that tests can compare. */
export type Scalar = string | number | boolean | null

/**
 * The value of a field: undefined when the field is absent, a list when its path contains an array. A list includes
 * the elements of nested arrays; an empty list is present but equal to nothing. An object becomes its JSON text,
 * because rules search it as text (docs/decisions/0006-object-comparison.md).
 */
export type FieldValue = Scalar | undefined | readonly Scalar[]

/** The text or texts of a value for string tests; null when it has none. */
export type FieldText = string | null | readonly string[]

/**
 * Looks up a field by name: first a key with exactly this name, then the dotted path into nested objects, following
 * every element of arrays on the way.
 */
export function lookUp(event: EventObject, name: string): FieldValue {
  if (Object.hasOwn(event, name)) return toFieldValue(event[name])
  return name.includes('.') ? followPath(event, name.split('.')) : undefined
}

/**
 * Lists the raw elements of a field, of all lists when the path leads to several. A value that is not a list is one
 * element; an absent field has none.
 */
export function listElements(event: EventObject, name: string): readonly unknown[] {
  const values = Object.hasOwn(event, name) ? [event[name]] : collectValues(event, name.split('.')).values
  return values.flat(1).filter((value) => value !== undefined).slice(0, limits.eventListElementsMax)
}

/** Converts a scalar to text for string tests: numbers and booleans in canonical form; null has no text. */
export function toText(value: Scalar): string | null {
  return typeof value === 'string' ? value : value === null ? null : String(value)
}

/** Converts a field value to its text or texts. */
export function toTexts(value: FieldValue): FieldText {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return null
  if (typeof value !== 'object') return String(value)
  return value.map(toText).filter((text) => text !== null)
}

/** Looks up a path into nested objects, following every element of arrays on the way. */
export function followPath(event: EventObject, steps: readonly string[]): FieldValue {
  const { values, sawArray } = collectValues(event, steps)
  if (values.length === 0) return undefined
  return sawArray ? toScalars(values) : toFieldValue(values[0])
}

/** Collects the values at the end of a path: one, or one for each element of the arrays on the way. */
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

/** Whether a value is an object with fields, not an array. */
export function isObject(value: unknown): value is EventObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Converts a value to the field value that rules read. */
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
 * Yields the elements of an array and of nested arrays, in order. Walks without recursion, because the sender controls
 * the nesting, and visits at most `limits.eventListElementsMax` elements.
 */
function* flattenArray(array: readonly unknown[]): Generator<unknown> {
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

/** Characters of the JSON of an object that rules can search; the rest is cut off. */
const jsonTextLengthMax = 1_048_576

/**
 * Prints an object as compact JSON, as most stores keep it and as rules search it (`requestParameters|contains`).
 * Prints values nested deeper than `limits.jsonTextDepthMax` as null, so a cyclic object ends too.
 */
function printJson(value: object): string {
  const pieces: string[] = []
  let length = 0
  const write = (text: string): void => {
    pieces.push(text)
    length += text.length
  }
  const print = (part: unknown, depth: number): void => {
    if (length > jsonTextLengthMax) return
    if (typeof part !== 'object' || part === null) write(JSON.stringify(typeof part === 'bigint' ? String(part) : part) ?? 'null')
    else if (depth > limits.jsonTextDepthMax) write('null')
    else if (Array.isArray(part)) {
      write('[')
      for (const [i, element] of part.entries()) {
        if (i > 0) write(',')
        print(element, depth + 1)
      }
      write(']')
    } else {
      write('{')
      let isFirst = true
      for (const [key, member] of Object.entries(part)) {
        if (member === undefined) continue
        write(`${isFirst ? '' : ','}${JSON.stringify(key)}:`)
        isFirst = false
        print(member, depth + 1)
      }
      write('}')
    }
  }
  print(value, 1)
  return pieces.join('').slice(0, jsonTextLengthMax)
}
