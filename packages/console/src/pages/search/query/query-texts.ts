import { printValue } from '../../../lib/visible-text.ts'

/** A text that a query looks for, and the names of the fields that it looks in; in all where there is none. */
export type QueryText = { readonly text: string; readonly names: readonly string[] }

type Fields = { readonly [name: string]: unknown }

/** Finds where an event holds what a query looks for: the text by the path of its field, whatever objects are around it. */
export function findQueryTexts(fields: Fields, sought: readonly QueryText[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  if (sought.length === 0) return found
  const values = listTexts(fields)
  for (const { text, names } of sought) {
    const wanted = text.toLowerCase()
    for (const { path, lower } of values) {
      if (found.has(path) || !lower.includes(wanted)) continue
      if (names.length === 0 || names.some((name) => path === name || path.endsWith(`.${name}`))) found.set(path, text)
    }
  }
  return found
}

function listTexts(fields: Fields, prefix = ''): readonly { readonly path: string; readonly lower: string }[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isGroup ? listTexts(value as Fields, `${prefix}${name}.`) : [{ path: prefix + name, lower: printValue(value).toLowerCase() }]
  })
}
