/** An element as a document has it: attributes and text with their references resolved. */
export type XmlElement = {
  readonly name: string
  readonly attributes: { readonly [name: string]: string }
  readonly children: readonly XmlElement[]
  readonly text: string
}

type OpenElement = XmlElement & { readonly children: XmlElement[]; text: string }

const unknownCharacter = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u
const token = /<\?xml [^?]*\?>|<\/([A-Za-z]+)>|<([A-Za-z]+)((?: [A-Za-z]+="[^"<]*")*)(\/?)>|[^<]+/gy

/** Reads a document in the part of XML that our writer may use, and throws where it is not well-formed. */
export function readXml(text: string): XmlElement {
  if (unknownCharacter.test(text)) throw new Error('a character that XML does not have')
  const root: OpenElement = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  let end = 0
  for (const { 0: whole, 1: closed, 2: opened, 3: attributes = '', 4: isEmpty, index } of text.matchAll(token)) {
    end = index + whole.length
    const current = open.at(-1)!
    if (opened !== undefined) {
      const element = { name: opened, attributes: parseAttributes(attributes), children: [], text: '' }
      current.children.push(element)
      if (isEmpty === '') open.push(element)
    } else if (closed !== undefined) {
      if (closed !== current.name) throw new Error(`</${closed}> closes <${current.name}>`)
      open.pop()
    } else if (!whole.startsWith('<?')) current.text += resolveReferences(whole)
  }
  if (end !== text.length) throw new Error(`no XML from offset ${end} on`)
  if (open.length !== 1 || root.children.length !== 1) throw new Error('not one element, closed')
  return root.children[0]!
}

function parseAttributes(text: string): { readonly [name: string]: string } {
  const pairs = [...text.matchAll(/ ([A-Za-z]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, resolveReferences(value)] as const)
  if (new Set(pairs.map(([name]) => name)).size !== pairs.length) throw new Error(`an attribute twice in${text}`)
  return Object.fromEntries(pairs)
}

const references: { readonly [name: string]: string } = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function resolveReferences(text: string): string {
  return text.replaceAll(/&(?:#(\d+)|([a-z]+));|&/g, (_, code: string | undefined, name: string | undefined) => {
    if (code !== undefined) return String.fromCodePoint(Number(code))
    const character = references[name ?? '']
    if (character === undefined) throw new Error('an ampersand that begins no reference')
    return character
  })
}
