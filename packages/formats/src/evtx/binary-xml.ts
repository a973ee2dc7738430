import type { ChunkBytes } from './chunk-bytes.ts'
import { EvtxError } from './evtx-error.ts'
import { limits } from '../limits.ts'

/** A part of the content of an element or attribute, as a template states it. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'substitution'; readonly index: number; readonly isOptional: boolean }
  | { readonly kind: 'element'; readonly element: Element }
  | { readonly kind: 'template'; readonly template: TemplateInstance }

export type Element = {
  readonly name: string
  readonly attributes: readonly { readonly name: string; readonly parts: readonly Part[] }[]
  readonly parts: readonly Part[]
}

/** A template and the values that fill it, as places of bytes. */
type TemplateInstance = { readonly parts: readonly Part[]; readonly values: readonly ValuePlace[] }

/** The place of a value in its chunk, and its type. */
export type ValuePlace = { readonly type: number; readonly start: number; readonly end: number }

/** Names and templates of a chunk, by their offset in it: records share them. */
export type ChunkTables = { readonly names: Map<number, string>; readonly templates: Map<number, readonly Part[]> }

export function createChunkTables(): ChunkTables {
  return { names: new Map(), templates: new Map() }
}

/** Tokens of binary XML; the bit 0x40 says that more of the same kind follow. */
const tokens = {
  endOfFragment: 0x00, openElement: 0x01, closeStart: 0x02, closeEmpty: 0x03, endElement: 0x04, value: 0x05, attribute: 0x06,
  cdata: 0x07, characterReference: 0x08, entityReference: 0x09, instructionTarget: 0x0a, instructionData: 0x0b, templateInstance: 0x0c,
  substitution: 0x0d, optionalSubstitution: 0x0e, fragmentHeader: 0x0f,
} as const

const entities: { readonly [name: string]: string } = { lt: '<', gt: '>', amp: '&', quot: '"', apos: '\'' }

/** Parses a fragment of binary XML: the content of a record, of a template or of a value. */
export function parseFragment(cursor: ChunkBytes, tables: ChunkTables, depth = 0): Part[] {
  return new FragmentParser(cursor, tables, depth).parseParts(tokens.endOfFragment)
}

/** A recursive-descent parser of binary XML. */
class FragmentParser {
  readonly #cursor: ChunkBytes
  readonly #tables: ChunkTables
  #depth: number

  constructor(cursor: ChunkBytes, tables: ChunkTables, depth: number) {
    this.#cursor = cursor
    this.#tables = tables
    this.#depth = depth
  }

  /** Parses parts up to a closing token or the end of the bytes. */
  parseParts(closing: number): Part[] {
    if (++this.#depth > limits.evtx.depthMax) throw new EvtxError(`elements nest deeper than ${limits.evtx.depthMax} levels`)
    const parts: Part[] = []
    while (this.#cursor.position < this.#cursor.end) {
      const token = this.#cursor.readUint8() & ~0x40
      if (token === closing) break
      if (token === tokens.fragmentHeader) this.#cursor.skip(3)
      else parts.push(...this.#parsePart(token))
    }
    this.#depth--
    return parts
  }

  #parsePart(token: number): Part[] {
    if (token === tokens.openElement) return [{ kind: 'element', element: this.#parseElement() }]
    if (token === tokens.templateInstance) return [{ kind: 'template', template: this.#parseTemplateInstance() }]
    return this.#parseText(token)
  }

  #parseText(token: number): Part[] {
    const cursor = this.#cursor
    switch (token) {
      case tokens.value: {
        const type = cursor.readUint8()
        if (type !== 1) throw new EvtxError(`a text has the type ${type}`)
        return [{ kind: 'text', text: cursor.readText(cursor.readUint16()) }]
      }
      case tokens.cdata: return [{ kind: 'text', text: cursor.readText(cursor.readUint16()) }]
      case tokens.characterReference: return [{ kind: 'text', text: String.fromCodePoint(cursor.readUint16()) }]
      case tokens.entityReference: {
        const name = this.#readName()
        return [{ kind: 'text', text: entities[name] ?? `&${name};` }]
      }
      case tokens.substitution:
      case tokens.optionalSubstitution: {
        const index = cursor.readUint16()
        cursor.skip(1)
        return [{ kind: 'substitution', index, isOptional: token === tokens.optionalSubstitution }]
      }
      // Processing instructions mean nothing to rules.
      case tokens.instructionTarget: this.#readName(); return []
      case tokens.instructionData: cursor.readText(cursor.readUint16()); return []
      default: throw new EvtxError(`0x${token.toString(16)} is no token of binary XML`)
    }
  }

  #parseElement(): Element {
    const cursor = this.#cursor
    const hasAttributes = (cursor.bytes.readUInt8(cursor.position - 1) & 0x40) !== 0
    // The dependency identifier and the size of the element.
    cursor.skip(6)
    const name = this.#readName()
    const attributes: Element['attributes'][number][] = []
    if (hasAttributes) {
      cursor.skip(4)
      while ((cursor.peekUint8() & ~0x40) === tokens.attribute) {
        cursor.skip(1)
        attributes.push({ name: this.#readName(), parts: this.#parseAttributeValue() })
      }
    }
    const token = cursor.readUint8()
    if (token === tokens.closeEmpty) return { name, attributes, parts: [] }
    if (token !== tokens.closeStart) throw new EvtxError(`the element '${name}' does not end`)
    return { name, attributes, parts: this.parseParts(tokens.endElement) }
  }

  #parseAttributeValue(): Part[] {
    const parts: Part[] = []
    for (;;) {
      const token = this.#cursor.peekUint8() & ~0x40
      const isText = token === tokens.value || (token >= tokens.cdata && token <= tokens.entityReference)
      if (!isText && token !== tokens.substitution && token !== tokens.optionalSubstitution) return parts
      this.#cursor.skip(1)
      parts.push(...this.#parseText(token))
    }
  }

  #parseTemplateInstance(): TemplateInstance {
    const cursor = this.#cursor
    // A version and the identifier of the template.
    cursor.skip(5)
    const offset = cursor.readUint32()
    const parts = this.#readTemplate(offset)
    const count = cursor.readUint32()
    if (count * 4 > cursor.end - cursor.position) throw new EvtxError(`a template has ${count} values, more than its record`)
    const descriptors = Array.from({ length: count }, () => {
      const byteLength = cursor.readUint16()
      const type = cursor.readUint8()
      cursor.skip(1)
      return { byteLength, type }
    })
    const values = descriptors.map(({ byteLength, type }) => {
      const start = cursor.skip(byteLength)
      return { type, start, end: start + byteLength }
    })
    return { parts, values }
  }

  /** Reads a template where it is defined; in the record that uses it first, it stands in place. */
  #readTemplate(offset: number): readonly Part[] {
    const { templates } = this.#tables
    const cursor = this.#cursor
    const isInPlace = offset === cursor.position
    const known = templates.get(offset)
    if (known !== undefined && !isInPlace) return known
    const definition = isInPlace ? cursor : cursor.at(offset)
    definition.skip(20)
    const byteLength = definition.readUint32()
    const start = definition.skip(byteLength)
    const parts = parseFragment(cursor.at(start, start + byteLength), this.#tables, this.#depth)
    templates.set(offset, parts)
    return parts
  }

  /** Reads a name by its offset; where it is used first, it stands in place. */
  #readName(): string {
    const { names } = this.#tables
    const cursor = this.#cursor
    const offset = cursor.readUint32()
    const isInPlace = offset === cursor.position
    const known = names.get(offset)
    if (known !== undefined && !isInPlace) return known
    const definition = isInPlace ? cursor : cursor.at(offset)
    // The next name of the same hash, and the hash.
    definition.skip(6)
    const name = definition.readText(definition.readUint16())
    definition.skip(2)
    names.set(offset, name)
    return name
  }
}
