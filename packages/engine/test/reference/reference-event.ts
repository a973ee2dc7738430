/** Reads events for the reference evaluator. */

export type FieldOptions = {
  /** Other paths to try, in order, when the field is absent. */
  readonly aliases?: (field: string) => readonly string[]
  readonly ignoresNameCase?: boolean
}

/** The elements of a field: those of an array, or the value itself. */
export type FieldLookup = { readonly isPresent: boolean; readonly elements: readonly unknown[] }

/** Looks a field up by its name, then by its aliases. */
export function findField(event: object, field: string, options: FieldOptions): FieldLookup {
  for (const path of [field, ...(options.aliases?.(field) ?? [])]) {
    const found = findPath(event, path, options.ignoresNameCase ?? false)
    if (found.isPresent) return found
  }
  return { isPresent: false, elements: [] }
}

/** Converts a value to text for string comparisons, an object to JSON; undefined for null and absent values. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (isObject(value)) return JSON.stringify(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return undefined
}

/** Converts a number or decimal text to a number; undefined for anything else. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return undefined
  return /^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$/.test(value) ? Number(value) : undefined
}

/**
 * Lists the texts of all scalars of the event at any depth, which keywords search. Skips annotations such as
 * `_logsource` and `_id`, but not `_raw`, the original text of the event.
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

/** Looks up a path; a top-level key equal to the whole path takes precedence over its steps. */
function findPath(event: object, path: string, ignoresCase: boolean): FieldLookup {
  const whole = ownKey(event, path, ignoresCase)
  if (whole !== undefined) return { isPresent: true, elements: flatten(valueOf(event, whole)) }
  let values: unknown[] = [event]
  for (const name of path.split('.')) {
    // Arrays on the path fan out, so one step may lead into several objects.
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
