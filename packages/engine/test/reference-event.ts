/** How the reference evaluator reads an event (sigma.md 4.1 and 4.2, D-8, D-10 to D-13). */

export type FieldOptions = {
  /** Other paths to try, in order, where the field itself is absent. */
  readonly aliases?: (field: string) => readonly string[]
  readonly ignoresNameCase?: boolean
}

/** What a field holds: all of its elements when it is an array, none when the array is empty. */
export type FieldLookup = { readonly isPresent: boolean; readonly elements: readonly unknown[] }

/** Looks a field up under its own name, then under its aliases. */
export function findField(event: object, field: string, options: FieldOptions): FieldLookup {
  for (const path of [field, ...(options.aliases?.(field) ?? [])]) {
    const found = findPath(event, path, options.ignoresNameCase ?? false)
    if (found.isPresent) return found
  }
  return { isPresent: false, elements: [] }
}

/** The text of a value for comparisons between strings, of an object its JSON; undefined for null and absence. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (isObject(value)) return JSON.stringify(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return undefined
}

/** The number that a value is or spells in decimal; a boolean is none. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return undefined
  return /^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$/.test(value) ? Number(value) : undefined
}

/**
 * Texts of all scalars of the event at any depth: what keywords are searched in. Fields such as `_logsource`
 * and `_id` are notes about the event and not searched; `_raw` is the event's own text.
 */
export function searchedTexts(event: object): string[] {
  return Object.entries(event).flatMap(([name, value]) => (/^_(?!raw$)[a-z]/.test(name) ? [] : leafTexts(value)))
}

function leafTexts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(leafTexts)
  if (isObject(value)) return Object.values(value).flatMap(leafTexts)
  const text = textOf(value)
  return text === undefined ? [] : [text]
}

/** A top-level key that is the whole path wins over the walk along its dots (D-12). */
function findPath(event: object, path: string, ignoresCase: boolean): FieldLookup {
  const whole = ownKey(event, path, ignoresCase)
  if (whole !== undefined) return { isPresent: true, elements: flatten(valueOf(event, whole)) }
  let values: unknown[] = [event]
  for (const name of path.split('.')) {
    // Arrays on the path fan out, so one step may go into several objects.
    values = values.flatMap(flatten).filter(isObject).flatMap((object) => {
      const key = ownKey(object, name, ignoresCase)
      return key === undefined ? [] : [valueOf(object, key)]
    })
  }
  return { isPresent: values.length > 0, elements: values.flatMap(flatten) }
}

function ownKey(object: object, name: string, ignoresCase: boolean): string | undefined {
  const keys = Object.keys(object).filter((key) => valueOf(object, key) !== undefined)
  if (keys.includes(name)) return name
  return ignoresCase ? keys.find((key) => key.toLowerCase() === name.toLowerCase()) : undefined
}

function valueOf(object: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(object, key)?.value
}

function flatten(value: unknown): unknown[] {
  return Array.isArray(value) ? value.flatMap(flatten) : [value]
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
