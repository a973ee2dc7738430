/** A value of a record: its type in binary XML, and its bytes. */
export type RawValue = { readonly type: number; readonly bytes: Buffer }

/** An element of a template: text, the number of a value, or elements. */
export type TemplateElement = {
  readonly name: string
  readonly attributes?: { readonly [name: string]: string | number }
  readonly content: string | number | readonly TemplateElement[] | undefined
}

export const text = (value: string): RawValue => ({ type: 1, bytes: Buffer.from(value, 'utf16le') })
export const none: RawValue = { type: 0, bytes: Buffer.alloc(0) }

/** Writes a log of chunks of 64 KiB: each record uses the template with values of its own; the first one of a chunk defines it. */
export function writeEvtx(template: TemplateElement, chunks: readonly (readonly (readonly RawValue[])[])[]): Buffer {
  const header = Buffer.alloc(4_096)
  header.write('ElfFile\0', 'latin1')
  header.writeUInt16LE(4_096, 40)
  return Buffer.concat([header, ...chunks.map((records) => writeChunk(template, records))])
}

function writeChunk(template: TemplateElement, records: readonly (readonly RawValue[])[]): Buffer {
  const writer = new Writer(Buffer.alloc(65_536))
  writer.bytes.write('ElfChnk\0', 'latin1')
  writer.at = 512
  let definition: number | undefined
  for (const [index, values] of records.entries()) {
    const start = writer.at
    writer.uint32(0x2a2a)
    writer.at += 4
    writer.uint32(index + 1)
    writer.at += 12
    definition = writeTemplateInstance(writer, { template, definition, values })
    writer.uint8(0)
    writer.uint32(writer.at + 4 - start)
    writer.bytes.writeUInt32LE(writer.at - start, start + 4)
  }
  writer.bytes.writeUInt32LE(writer.at, 48)
  return writer.bytes
}

/** Writes a fragment that is one use of a template, and returns where that is defined. */
function writeTemplateInstance(writer: Writer, { template, definition, values }: {
  readonly template: TemplateElement; readonly definition: number | undefined; readonly values: readonly RawValue[]
}): number {
  writer.uint32(0x0001010f)
  writer.uint8(0x0c)
  writer.uint8(1)
  writer.uint32(7)
  const offset = definition ?? writer.at + 4
  writer.uint32(offset)
  if (definition === undefined) {
    writer.at += 20
    const size = writer.at
    writer.at += 4
    writer.uint32(0x0001010f)
    writeElement(writer, template)
    writer.uint8(0)
    writer.bytes.writeUInt32LE(writer.at - size - 4, size)
  }
  writer.uint32(values.length)
  for (const { type, bytes } of values) {
    writer.uint16(bytes.length)
    writer.uint16(type)
  }
  for (const { bytes } of values) writer.add(bytes)
  return offset
}

function writeElement(writer: Writer, { name, attributes = {}, content }: TemplateElement): void {
  const names = Object.entries(attributes)
  writer.uint8(names.length > 0 ? 0x41 : 0x01)
  writer.uint16(0xffff)
  writer.uint32(0)
  writer.name(name)
  if (names.length > 0) writer.uint32(0)
  for (const [index, [attribute, value]] of names.entries()) {
    writer.uint8(index < names.length - 1 ? 0x46 : 0x06)
    writer.name(attribute)
    writeContent(writer, value)
  }
  if (content === undefined) writer.uint8(0x03)
  else {
    writer.uint8(0x02)
    if (typeof content === 'object') for (const element of content) writeElement(writer, element)
    else writeContent(writer, content)
    writer.uint8(0x04)
  }
}

function writeContent(writer: Writer, content: string | number): void {
  if (typeof content === 'number') {
    writer.uint8(0x0e)
    writer.uint16(content)
    writer.uint8(1)
  } else {
    writer.uint8(0x05)
    writer.uint8(1)
    writer.uint16(content.length)
    writer.add(Buffer.from(content, 'utf16le'))
  }
}

class Writer {
  readonly bytes: Buffer
  at = 0
  readonly #names = new Map<string, number>()

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  uint8(value: number): void {
    this.at = this.bytes.writeUInt8(value, this.at)
  }

  uint16(value: number): void {
    this.at = this.bytes.writeUInt16LE(value, this.at)
  }

  uint32(value: number): void {
    this.at = this.bytes.writeUInt32LE(value, this.at)
  }

  add(bytes: Buffer): void {
    this.at += bytes.copy(this.bytes, this.at)
  }

  /** A name stands where it is used first. */
  name(name: string): void {
    const known = this.#names.get(name)
    this.uint32(known ?? this.at + 4)
    if (known !== undefined) return
    this.#names.set(name, this.at)
    this.at += 6
    this.uint16(name.length)
    this.add(Buffer.from(`${name}\0`, 'utf16le'))
  }
}
