import type { EventObject } from '../event/event.ts'
import { isObject } from '../event/value.ts'

/** Reads a field of the object itself, never one that it inherits. */
export function readOwnValue(object: EventObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** Reads a field if it holds text. */
export function readOwnText(object: EventObject, name: string): string | undefined {
  const value = readOwnValue(object, name)
  return typeof value === 'string' ? value : undefined
}

/** Reads a field if it holds an object. */
export function readOwnObject(object: EventObject, name: string): EventObject | undefined {
  const value = readOwnValue(object, name)
  return isObject(value) ? value : undefined
}

/** Follows the steps through nested objects; arrays end the walk. */
export function readPath(object: EventObject, steps: readonly string[]): unknown {
  let value: unknown = object
  for (const step of steps) {
    if (!isObject(value)) return undefined
    value = readOwnValue(value, step)
  }
  return value
}
