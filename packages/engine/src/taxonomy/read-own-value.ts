import type { EventObject } from '../event/event.ts'
import { isObject } from '../event/value.ts'

/** Reads an own field, never an inherited one. */
export function readOwnValue(object: EventObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** Reads an own field that is text. */
export function readOwnText(object: EventObject, name: string): string | undefined {
  const value = readOwnValue(object, name)
  return typeof value === 'string' ? value : undefined
}

/** Reads an own field that is an object. */
export function readOwnObject(object: EventObject, name: string): EventObject | undefined {
  const value = readOwnValue(object, name)
  return isObject(value) ? value : undefined
}

/** Follows a path through nested objects; undefined at an array. */
export function readPath(object: EventObject, steps: readonly string[]): unknown {
  let value: unknown = object
  for (const step of steps) {
    if (!isObject(value)) return undefined
    value = readOwnValue(value, step)
  }
  return value
}
