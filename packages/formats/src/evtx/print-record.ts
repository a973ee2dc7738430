import { createChunkTables, parseFragment } from './binary-xml.ts'
import type { ChunkTables, Element, Part, ValuePlace } from './binary-xml.ts'
import { ChunkBytes } from './chunk-bytes.ts'
import { EvtxError } from './evtx-error.ts'
import { limits } from '../limits.ts'
import { printRawValue, xmlType } from './print-value.ts'

const { charactersMax, depthMax, nodesMax } = limits.evtx

/** Prints the records of one chunk as JSON: attributes under `#attributes`, text beside them under `#text`. */
export class RecordPrinter {
  readonly #bytes: Buffer
  readonly #tables: ChunkTables = createChunkTables()
  #nodeCount = 0
  #characterCount = 0
  #depth = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** Prints the binary XML between two offsets. @throws EvtxError where it is none. */
  print(start: number, end: number): string {
    this.#depth = 0
    this.#nodeCount = 0
    this.#characterCount = 0
    const content = this.#readContent(parseFragment(new ChunkBytes(this.#bytes, start, end), this.#tables), [])
    if (content.members.size === 0) throw new EvtxError('the record has no element')
    return printObject(content.members)
  }

  #readContent(parts: readonly Part[], values: readonly ValuePlace[], content: Content = createContent()): Content {
    if (++this.#depth > depthMax) throw new EvtxError(`elements nest deeper than ${depthMax} levels`)
    for (const part of parts) {
      if (++this.#nodeCount > nodesMax) throw new EvtxError(`the record has more than ${nodesMax} elements and values`)
      if (part.kind === 'text') this.#addText(content, { json: JSON.stringify(part.text), text: part.text })
      else if (part.kind === 'element') this.#addElement(content, part.element, values)
      else if (part.kind === 'template') this.#readContent(part.template.parts, part.template.values, content)
      else this.#addValue(content, values[part.index])
    }
    this.#depth--
    return content
  }

  #addValue(content: Content, place: ValuePlace | undefined): void {
    if (place === undefined) return
    if (place.type === xmlType) {
      const cursor = new ChunkBytes(this.#bytes, place.start, place.end)
      this.#readContent(parseFragment(cursor, this.#tables, this.#depth), [], content)
      return
    }
    const printed = printRawValue(place.type, this.#bytes.subarray(place.start, place.end))
    if (printed !== undefined) this.#addText(content, printed)
  }

  #addText(content: Content, printed: { readonly json: string; readonly text: string }): void {
    this.#characterCount += printed.json.length
    if (this.#characterCount > charactersMax) throw new EvtxError(`the record has more than ${charactersMax} characters`)
    content.single = content.text === undefined ? printed.json : undefined
    content.text = (content.text ?? '') + printed.text
  }

  #addElement(content: Content, { name, attributes, parts }: Element, values: readonly ValuePlace[]): void {
    const [first, ...others] = parts
    // An element that is but an optional value goes with its value.
    if (first?.kind === 'substitution' && first.isOptional && others.length === 0 && (values[first.index]?.type ?? 0) === 0) return
    const printed = new Map<string, string[]>()
    let key = name
    for (const attribute of attributes) {
      const value = this.#readContent(attribute.parts, values)
      const printedValue = printText(value)
      if (printedValue === undefined) continue
      // A value is found under the name that its provider gave it.
      if (name === 'Data' && attribute.name === 'Name') key = value.text ?? name
      else printed.set(attribute.name, [printedValue])
    }
    const inner = this.#readContent(parts, values)
    const json = printElement(printed, inner, name === 'Data')
    this.#characterCount += key.length
    const before = content.members.get(key)
    if (before === undefined) content.members.set(key, [json])
    else before.push(json)
  }
}

/** What stands within an element so far; `single` is the JSON of its only value. */
type Content = { readonly members: Map<string, string[]>; text: string | undefined; single: string | undefined }

function createContent(): Content {
  return { members: new Map(), text: undefined, single: undefined }
}

/** The values of an element as JSON: one keeps its type, several are one text; undefined without any. */
function printText({ text, single }: Content): string | undefined {
  return single ?? (text === undefined ? undefined : JSON.stringify(text))
}

function printElement(attributes: ReadonlyMap<string, readonly string[]>, content: Content, isData: boolean): string {
  const { members } = content
  const json = printText(content)
  const isArray = json?.startsWith('[') === true
  if (attributes.size === 0 && members.size === 0 && !isArray) return json ?? (isData ? '""' : 'null')
  const all = new Map<string, readonly string[]>()
  if (attributes.size > 0) all.set('#attributes', [printObject(attributes)])
  if (json !== undefined) all.set('#text', [json])
  for (const [name, values] of members) all.set(name, values)
  return printObject(all)
}

function printObject(members: ReadonlyMap<string, readonly string[]>): string {
  const printed = [...members].map(([name, values]) => {
    return `${JSON.stringify(name)}:${values.length === 1 ? values[0]! : `[${values.join(',')}]`}`
  })
  return `{${printed.join(',')}}`
}
