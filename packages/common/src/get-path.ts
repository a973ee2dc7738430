import { isJsonObject } from './json.ts'

/** Reads a field of an event: a key of exactly this name, else a dotted path into nested objects. */
export function getPath(event: { readonly [field: string]: unknown }, field: string): unknown {
  if (Object.hasOwn(event, field)) return event[field]
  let value: unknown = event
  for (const step of field.split('.')) {
    if (!isJsonObject(value) || !Object.hasOwn(value, step)) return undefined
    value = value[step]
  }
  return value
}
