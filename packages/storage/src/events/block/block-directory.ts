import { ByteReader, CorruptionError } from '../../log/byte-reader.ts'
import { ByteWriter } from '../../log/byte-writer.ts'
import type { NumberRange } from './block.ts'
import type { BlockVersion } from './block-header.ts'
import type { NumberColumnKind } from './column-kind.ts'
import type { EventTemplate } from './event-template.ts'
import { digestLength, findTemplate, getTemplateDigest, readTemplate, rememberDigest } from './event-templates.ts'
import type { WrittenTemplate } from './event-templates.ts'
import type { FrameLocation, PartLocation } from './frame.ts'

/**
 * The directory of a block: what it holds and where, stored compressed behind the header. Before version 5 it was JSON; every
 * search decodes the directories of the blocks that it opens, and the texts of templates were most of the work. Now each
 * template is first looked up by a digest of its text, which stands at the end and is read only where it is not known.
 */
export type BlockDirectory = DirectoryNumbers & {
  /** Texts of the alias rules, which templates refer to by number. */
  readonly rules: readonly string[]
  readonly shapes: readonly (WrittenTemplate & { readonly count: number })[]
  readonly columns: readonly WrittenColumn[]
  readonly parts: readonly PartLocation[]
  readonly frames: readonly FrameLocation[]
}

/** The numbers of the parts that are no columns. */
type DirectoryNumbers = {
  readonly times: number
  readonly sequences: number
  readonly severities: number
  /** Absent where no pipeline accepted any of the events. */
  readonly arrivals?: number
  readonly catalog: number
}

/** A column: its path, with the numbers of its parts. */
export type WrittenColumn = { readonly pathKey: string; readonly range: NumberRange | null } & (
  | { readonly dictionary: number; readonly size: number; readonly codes: number }
  | { readonly chunks: readonly DictionaryChunk[]; readonly size: number; readonly codes: number }
  | { readonly kind: NumberColumnKind; readonly numbers: number }
)

/** A part of a long dictionary, which is read alone: the values from a code on, up to the next chunk. */
export type DictionaryChunk = { readonly first: number; readonly part: number }

/** A directory as a reader uses it. */
export type DecodedDirectory = DirectoryNumbers & {
  readonly templates: readonly { readonly template: EventTemplate; readonly count: number }[]
  readonly columns: readonly WrittenColumn[]
  /** In the order of their numbers. */
  readonly frames: readonly FrameLocation[]
  readonly getPart: (number: number) => PartLocation | undefined
  /** The size in memory, about. */
  readonly byteCount: number
}

const columnKinds = { dictionary: 0, chunks: 1, integer: 2, instant: 3 } as const
const hasRange = 4
const directoryNumbers = ['times', 'sequences', 'severities', 'catalog'] as const
/** Objects around the values of a decoded directory, in bytes for each byte of it without the texts of templates. */
const memoryFactor = 4

/** Encodes the directory of a block of the newest version. */
export function encodeDirectory({ rules, shapes, columns, parts, frames, ...numbers }: BlockDirectory): Buffer {
  const writer = new ByteWriter()
  writer.varint(rules.length)
  for (const text of rules) writeText(writer, text)
  writer.varint(shapes.length)
  const texts: Buffer[] = []
  for (const { count, rules: rulesNumber, ...template } of shapes) {
    const text = Buffer.from(JSON.stringify(template))
    writer.varint(rulesNumber)
    writer.varint(count)
    writer.varint(text.length)
    writer.bytes(getTemplateDigest(rules[rulesNumber]!, text))
    texts.push(text)
  }
  writer.varint(columns.length)
  for (const column of columns) writeColumn(writer, column)
  for (const name of directoryNumbers) writer.varint(numbers[name])
  writer.varint(numbers.arrivals === undefined ? 0 : numbers.arrivals + 1)
  writer.varint(parts.length)
  for (const { frame, offset, length } of parts) for (const number of [frame, offset, length]) writer.varint(number)
  writer.varint(frames.length)
  for (const { offset, length, rawLength, crc } of frames) {
    for (const number of [offset, length, rawLength]) writer.varint(number)
    writer.u32(crc)
  }
  for (const text of texts) writer.bytes(text)
  return Buffer.from(writer.done())
}

/** Decodes a directory. @throws CorruptionError, or any other error where the bytes are not those of a directory. */
export function decodeDirectory(raw: Buffer, version: BlockVersion): DecodedDirectory {
  if (version < 5) return decodeJson(raw)
  const reader = new ByteReader(raw)
  const rules = readList(reader, () => readText(reader))
  const shapes = readList(reader, () => {
    return { rules: reader.varint(), count: reader.varint(), length: reader.varint(), digest: reader.bytes(digestLength) }
  })
  const columns = readList(reader, () => readColumn(reader))
  const [times, sequences, severities, catalog] = directoryNumbers.map(() => reader.varint())
  const arrivals = reader.varint() - 1
  const parts = new Float64Array(3 * reader.varint())
  reader.varints(parts)
  const frames = readList(reader, () => {
    return { offset: reader.varint(), length: reader.varint(), rawLength: reader.varint(), crc: reader.u32() }
  })
  const byteCount = memoryFactor * (raw.length - reader.left)
  const templates = shapes.map(({ count, digest, length, rules: number }) => {
    const text = reader.bytes(length)
    return { template: findTemplate(digest) ?? readKnownTemplate({ rules, number, text, digest }), count }
  })
  return {
    templates, columns, frames, times: times!, sequences: sequences!, severities: severities!, catalog: catalog!, byteCount,
    ...(arrivals >= 0 && { arrivals }),
    getPart: (number) => {
      const [frame, offset, length] = parts.subarray(3 * number, 3 * number + 3)
      return length === undefined ? undefined : { frame: frame!, offset: offset!, length }
    },
  }
}

function decodeJson(raw: Buffer): DecodedDirectory {
  const { shapes, parts, rules, ...directory } = JSON.parse(raw.toString()) as BlockDirectory
  const templates = shapes.map(({ count, ...written }) => ({ template: requireTemplate(readTemplate(written, rules)), count }))
  return { ...directory, templates, getPart: (number) => parts[number], byteCount: memoryFactor * raw.length }
}

type TemplateText = { readonly rules: readonly string[]; readonly number: number; readonly text: Buffer; readonly digest: Buffer }

function readKnownTemplate({ rules, number, text, digest }: TemplateText): EventTemplate {
  const written: object = JSON.parse(text.toString())
  const template = requireTemplate(readTemplate({ ...written, rules: number } as WrittenTemplate, rules))
  rememberDigest(digest, template)
  return template
}

function requireTemplate(template: EventTemplate | undefined): EventTemplate {
  if (template === undefined) throw new CorruptionError('a template cannot be decoded')
  return template
}

function writeColumn(writer: ByteWriter, column: WrittenColumn): void {
  const { pathKey, range } = column
  writeText(writer, pathKey)
  const kind = 'kind' in column ? column.kind : 'chunks' in column ? 'chunks' : 'dictionary'
  writer.u8(columnKinds[kind] + (range === null ? 0 : hasRange))
  for (const bound of range ?? []) writer.f64(bound)
  if ('kind' in column) {
    writer.varint(column.numbers)
    return
  }
  if ('chunks' in column) {
    writer.varint(column.chunks.length)
    for (const { first, part } of column.chunks) for (const number of [first, part]) writer.varint(number)
  } else {
    writer.varint(column.dictionary)
  }
  writer.varint(column.size)
  writer.varint(column.codes)
}

function readColumn(reader: ByteReader): WrittenColumn {
  const pathKey = readText(reader)
  const flags = reader.u8()
  const range: NumberRange | null = (flags & hasRange) === 0 ? null : [reader.f64(), reader.f64()]
  switch (flags & ~hasRange) {
    case columnKinds.integer:
      return { pathKey, range, kind: 'integer', numbers: reader.varint() }
    case columnKinds.instant:
      return { pathKey, range, kind: 'instant', numbers: reader.varint() }
    case columnKinds.chunks: {
      const chunks = readList(reader, () => ({ first: reader.varint(), part: reader.varint() }))
      return { pathKey, range, chunks, size: reader.varint(), codes: reader.varint() }
    }
    case columnKinds.dictionary:
      return { pathKey, range, dictionary: reader.varint(), size: reader.varint(), codes: reader.varint() }
    default:
      throw new CorruptionError(`a column has the unknown kind ${flags}`)
  }
}

function writeText(writer: ByteWriter, text: string): void {
  const bytes = Buffer.from(text)
  writer.varint(bytes.length)
  writer.bytes(bytes)
}

function readText(reader: ByteReader): string {
  return reader.bytes(reader.varint()).toString()
}

/** Reads a number and so many values; each has at least a byte. */
function readList<Value>(reader: ByteReader, read: () => Value): Value[] {
  const count = reader.varint()
  if (count > reader.left) throw new CorruptionError(`${count} values were expected where ${reader.left} bytes are left`)
  const values: Value[] = []
  for (let i = 0; i < count; i++) values.push(read())
  return values
}
