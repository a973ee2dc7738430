/** An event in the Log Event Extended Format of QRadar: four header fields, then attributes. */
type LeefEvent = {
  readonly version: string
  readonly vendor: string
  readonly product: string
  readonly product_version: string
  readonly event_id: string
  readonly attributes: { readonly [name: string]: string }
}

const header = /^LEEF: ?(1\.0|2\.0|1|2)\|([^|]*)\|([^|]*)\|([^|]*)\|([^|]*)\|/

/** Version 2 names the delimiter of its attributes: a character, or its code such as `x5E` or `0x5E`. */
const delimiterField = /^(?:0?x([0-9a-f]{1,4})|([^|\s]))?\|/i

/** Parses a message in the Log Event Extended Format; undefined for another one. */
export function parseLeef(text: string): LeefEvent | undefined {
  const [start, version = '', vendor = '', product = '', productVersion = '', eventId = ''] = header.exec(text) ?? []
  if (start === undefined) return undefined
  let rest = text.slice(start.length)
  let delimiter = '\t'
  const [field, code, sign] = version.startsWith('2') ? delimiterField.exec(rest) ?? [] : []
  if (field !== undefined) {
    rest = rest.slice(field.length)
    delimiter = sign ?? (code === undefined ? delimiter : String.fromCharCode(Number.parseInt(code, 16)))
  }
  const pairs = rest.split(delimiter).flatMap((pair) => {
    const at = pair.indexOf('=')
    return at < 1 ? [] : [[pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const]
  })
  return { version, vendor, product, product_version: productVersion, event_id: eventId, attributes: Object.fromEntries(pairs) }
}
