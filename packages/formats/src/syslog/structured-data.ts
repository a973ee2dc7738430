/** Elements of structured data (RFC 5424, 6.3) by id, each with its parameters. */
export type StructuredData = { readonly [id: string]: { readonly [name: string]: string } }

const idOrName = /[^\s=\]"]{1,128}/y
/** A quoted value; a backslash escapes quote, bracket and itself, and stands for itself before anything else. */
const quotedValue = /"((?:[^"\\\]]|\\[^])*)"/y

/**
 * Parses structured data at an offset: `-`, or elements such as `[id name="value"]`. Undefined where there is none.
 */
export function parseStructuredData(
  text: string, start: number,
): { readonly elements: StructuredData | undefined; readonly end: number } | undefined {
  if (text[start] === '-') return { elements: undefined, end: start + 1 }
  if (text[start] !== '[') return undefined
  const elements: { [id: string]: { [name: string]: string } } = Object.create(null)
  let at = start
  const read = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    at += found?.[0].length ?? 0
    return found
  }
  while (text[at] === '[') {
    at++
    const id = read(idOrName)?.[0]
    if (id === undefined) return undefined
    const parameters: { [name: string]: string } = elements[id] ?? Object.create(null)
    elements[id] = parameters
    while (text[at] === ' ') {
      at++
      if (text[at] === ']') break
      const name = read(idOrName)?.[0]
      if (name === undefined || text[at++] !== '=') return undefined
      const value = read(quotedValue)?.[1]
      if (value === undefined) return undefined
      parameters[name] = value.replace(/\\(["\\\]])/g, '$1')
    }
    if (text[at++] !== ']') return undefined
  }
  return { elements, end: at }
}
