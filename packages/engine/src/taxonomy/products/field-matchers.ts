/** A condition on a field value that identifies a product. */
export type FieldMatcher = (value: unknown) => boolean

export const isText: FieldMatcher = (value) => typeof value === 'string' && value !== ''

export const isNumber: FieldMatcher = (value) => typeof value === 'number'

export const isScalar: FieldMatcher = (value) => isText(value) || isNumber(value)

export const isObjectOrArray: FieldMatcher = (value) => typeof value === 'object' && value !== null

export const isAbsent: FieldMatcher = (value) => value === undefined

/** Accepts one of the texts or numbers. */
export function isOneOf(values: Iterable<string | number>): FieldMatcher {
  const set: ReadonlySet<unknown> = new Set(values)
  return (value) => set.has(value)
}

/** Accepts one of the texts, or a list of nothing else. */
export function isOneOrMoreOf(values: Iterable<string>): FieldMatcher {
  const isKnown = isOneOf(values)
  return (value) => isKnown(value) || (Array.isArray(value) && value.length > 0 && value.every(isKnown))
}

export function hasPrefix(prefix: string): FieldMatcher {
  return (value) => typeof value === 'string' && value.startsWith(prefix)
}

/** Accepts texts with a prefix, given in lower case, without regard to case. */
export function hasPrefixIgnoringCase(prefix: string): FieldMatcher {
  return (value) => typeof value === 'string' && value.slice(0, prefix.length).toLowerCase() === prefix
}

export function hasSuffix(suffix: string): FieldMatcher {
  return (value) => typeof value === 'string' && value.endsWith(suffix)
}
