/** One pair: a name, and a value that is quoted or ends at a blank. */
const pair = /([A-Za-z_][\w.-]{0,127})=(?:"((?:[^"\\]|\\[^])*)"|'([^']*)'|([^\s"']*))(?:[\s,;]+|$)/y

/** The fields of a line that consists of `name=value` pairs, as firewalls print them; undefined for other lines. */
export function parseKeyValues(text: string): { readonly [name: string]: string } | undefined {
  if (!/^[A-Za-z_][\w.-]{0,127}=/.test(text)) return undefined
  const fields = new Map<string, string>()
  let at = 0
  while (at < text.length) {
    pair.lastIndex = at
    const found = pair.exec(text)
    if (found === null) return undefined
    const [whole, name = '', quoted, single, bare] = found
    if (!fields.has(name)) fields.set(name, quoted?.replace(/\\(["\\])/g, '$1') ?? single ?? bare ?? '')
    at += whole.length
  }
  return fields.size < 2 ? undefined : Object.fromEntries(fields)
}
