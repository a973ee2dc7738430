/** One pair: a name, and a value that is quoted or ends at a blank. */
const pair = /([A-Za-z_][\w.-]{0,127})=(?:"((?:[^"\\]|\\[^])*)"|'([^']*)'|([^\s"']*))(?:[\s,;]+|$)/y
const auditId = /^msg=audit\((\d{9,11}\.\d{3}):(\d{1,20})\): ?/

/** The fields of a line that consists of `name=value` pairs, as firewalls and auditd print them; undefined for other lines. */
export function parseKeyValues(text: string): { readonly [name: string]: string } | undefined {
  if (!/^[A-Za-z_][\w.-]{0,127}=/.test(text)) return undefined
  const fields = new Map<string, string>()
  let at = 0
  while (at < text.length) {
    const audit = auditId.exec(text.slice(at, at + 64))
    if (audit !== null) {
      fields.set('timestamp', audit[1] ?? '').set('serial', audit[2] ?? '')
      at += audit[0].length
      continue
    }
    pair.lastIndex = at
    const found = pair.exec(text)
    if (found === null) return undefined
    const [whole, name = '', quoted, single, bare] = found
    // A pair in a quoted value of auditd, such as msg='op=login acct="root"', is a field as well.
    const inner = name === 'msg' && single !== undefined ? parseKeyValues(single) : undefined
    for (const [key, value] of Object.entries(inner ?? { [name]: quoted?.replace(/\\(["\\])/g, '$1') ?? single ?? bare ?? '' })) {
      if (!fields.has(key)) fields.set(key, value)
    }
    at += whole.length
  }
  return fields.size < 2 ? undefined : Object.fromEntries(fields)
}
