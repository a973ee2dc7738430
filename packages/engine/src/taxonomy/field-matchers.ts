/** What a value must be for an event to be of a product. */
export type Mark = (value: unknown) => boolean

export const isText: Mark = (value) => typeof value === 'string' && value !== ''

export const isNumber: Mark = (value) => typeof value === 'number'

export const isScalar: Mark = (value) => isText(value) || isNumber(value)

export const isObjectOrArray: Mark = (value) => typeof value === 'object' && value !== null

export const isAbsent: Mark = (value) => value === undefined

/** One of some texts, or of the keys of a table. */
export function oneOf(texts: Iterable<string>): Mark {
  const set: ReadonlySet<unknown> = new Set(texts)
  return (value) => set.has(value)
}

export function startsWith(prefix: string): Mark {
  return (value) => typeof value === 'string' && value.startsWith(prefix)
}

/** Begins with a prefix, which is in lower case, without regard to case. */
export function startsWithFolded(prefix: string): Mark {
  return (value) => typeof value === 'string' && value.slice(0, prefix.length).toLowerCase() === prefix
}

export function endsWith(suffix: string): Mark {
  return (value) => typeof value === 'string' && value.endsWith(suffix)
}
