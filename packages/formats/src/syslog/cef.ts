/** An event in the Common Event Format of ArcSight: seven header fields, then extensions. */
type CefEvent = {
  readonly version: string
  readonly device_vendor: string
  readonly device_product: string
  readonly device_version: string
  readonly device_event_class_id: string
  readonly name: string
  readonly severity: string
  readonly extensions: { readonly [name: string]: string }
}

const header = /^CEF: ?(\d{1,3}(?:\.\d{1,3})?)\|/
const headerField = /((?:[^|\\]|\\[^])*)\|/y
/** A key of an extension: the text up to the next key is its value, blanks included. */
const extensionKey = /(?:^|\s)([\w.[\]-]{1,128})=/g

/** Parses a message in the Common Event Format; undefined for another one. */
export function parseCef(text: string): CefEvent | undefined {
  const [start, version = ''] = header.exec(text) ?? []
  if (start === undefined) return undefined
  const fields: string[] = []
  headerField.lastIndex = start.length
  while (fields.length < 6) {
    const [, field] = headerField.exec(text) ?? []
    if (field === undefined) return undefined
    fields.push(field.replace(/\\([|\\])/g, '$1'))
  }
  const [vendor = '', product = '', deviceVersion = '', id = '', name = '', severity = ''] = fields
  return {
    version, device_vendor: vendor, device_product: product, device_version: deviceVersion, device_event_class_id: id, name, severity,
    extensions: parseExtensions(text.slice(findExtensions(text, start.length))),
  }
}

/** The offset behind the sixth bar of the header. */
function findExtensions(text: string, start: number): number {
  headerField.lastIndex = start
  for (let i = 0; i < 6; i++) headerField.test(text)
  return headerField.lastIndex
}

/** Pairs such as `cs1Label=Policy cs1=Block all` become a field of the name that the label states, beside themselves. */
function parseExtensions(text: string): { readonly [name: string]: string } {
  const keys = [...text.matchAll(extensionKey)]
  const pairs = keys.map((key, i) => {
    const value = text.slice(key.index + key[0].length, keys[i + 1]?.index ?? text.length).trimEnd()
    return [key[1] ?? '', unescapeValue(value)] as const
  })
  const values = new Map(pairs)
  const labelled = pairs.flatMap(([key, label]) => {
    const value = key.endsWith('Label') ? values.get(key.slice(0, -'Label'.length)) : undefined
    return value === undefined || label === '' || values.has(label) ? [] : [[label, value] as const]
  })
  return Object.fromEntries([...values, ...labelled])
}

const escapes: { readonly [sign: string]: string } = { n: '\n', r: '\r', '=': '=', '\\': '\\', '|': '|' }

function unescapeValue(text: string): string {
  return text.includes('\\') ? text.replace(/\\([nr=\\|])/g, (whole, sign: string) => escapes[sign] ?? whole) : text
}
