import { limits } from '../limits.ts'
import { findDecompressor, magicBytesMax } from './decompress.ts'
import type { ReportProblem } from './event-decoder.ts'
import { eventFormats, findFileFormat } from './file-format.ts'
import type { FileFormatName } from './file-format.ts'

/** A file of events as NDJSON, whatever it is stored as. */
type EventFile = {
  readonly format: FileFormatName
  /** Whole lines are not kept together; each chunk is valid until the next one is read. */
  readonly chunks: AsyncIterable<Buffer>
}

type ReadEventsOptions = {
  /** Default: recognised. */
  readonly stated?: FileFormatName | undefined
  /** The present, in milliseconds since the epoch: lines of syslog state no year. */
  readonly readAt: number
}

/**
 * Reads events of a file as NDJSON. Compression, UTF-16 and the format are recognised by the first bytes, not by a name. NDJSON
 * itself passes as it is. Parts that are no events are reported, and are empty lines.
 *
 * @throws Error, here or while `chunks` is read, when the bytes cannot be decompressed.
 */
export async function readEventFile(
  chunks: AsyncIterable<Buffer>, report: ReportProblem, { stated, readAt }: ReadEventsOptions,
): Promise<EventFile> {
  const compressed = await peekBytes(chunks, (head) => head.length >= magicBytesMax)
  const decompress = findDecompressor(compressed.head)
  const plain = decompress === undefined ? compressed : await peekBytes(decompress(compressed.chunks), () => true)
  const text = await decodeCharset(plain)
  const { head, chunks: rest } = await peekBytes(text, isEnoughToSniff)
  const format = stated ?? findFileFormat(head)
  const { decode } = eventFormats[format]
  return { format, chunks: decode === undefined ? rest : decode(rest, report, readAt) }
}

type Peeked = { readonly head: Buffer; readonly chunks: AsyncIterable<Buffer> }

/** Reads until `isEnough` of what was read so far; what was read comes again as the first chunk. */
async function peekBytes(chunks: AsyncIterable<Buffer>, isEnough: (head: Buffer) => boolean): Promise<Peeked> {
  const iterator = chunks[Symbol.asyncIterator]()
  let head: Buffer = Buffer.alloc(0)
  let isDone = false
  while (!isDone && (head.length === 0 || !isEnough(head))) {
    // A chunk is valid until the next one is read.
    const before = head.length === 0 ? head : Buffer.from(head)
    const next = await iterator.next()
    isDone = next.done === true
    if (next.done === true) head = before
    else head = before.length === 0 ? next.value : Buffer.concat([before, next.value])
  }
  return { head, chunks: chain(head, iterator) }
}

async function* chain(head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    if (head.length > 0) yield head
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}

const lineFeed = 0x0a

/** A line decides, but for the header of a table, which the next line confirms. */
function isEnoughToSniff(head: Buffer): boolean {
  if (head.length >= limits.files.sniffedBytesMax) return true
  const first = head.indexOf(lineFeed)
  if (first === -1) return false
  const begin = head.toString('utf8', 0, first).trim()
  const isWholeEvent = begin.startsWith('{') && begin.endsWith('}')
  return isWholeEvent || head.indexOf(lineFeed, first + 1) !== -1
}

const byteOrderMark = Buffer.from('efbbbf', 'hex')

/** Decodes UTF-16 to UTF-8, and drops a byte order mark. */
async function decodeCharset({ head, chunks }: Peeked): Promise<AsyncIterable<Buffer>> {
  if (head.subarray(0, 3).equals(byteOrderMark)) return skipBytes(chunks, 3)
  const charset = findWideCharset(head)
  return charset === undefined ? chunks : transcode(chunks, charset)
}

function findWideCharset(head: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const mark = head.toString('hex', 0, 2)
  if (mark === 'fffe') return 'utf-16le'
  if (mark === 'feff') return 'utf-16be'
  const sample = head.subarray(0, 64)
  if (sample.length < 8) return undefined
  // Without a mark: text in Latin letters has a zero byte in every unit.
  const isZeroAt = (offset: number): boolean => sample.every((value, i) => i % 2 !== offset || value === 0)
  const isTextAt = (offset: number): boolean => sample.every((value, i) => i % 2 !== offset || (value >= 0x09 && value < 0x7f))
  if (isZeroAt(1) && isTextAt(0)) return 'utf-16le'
  return isZeroAt(0) && isTextAt(1) ? 'utf-16be' : undefined
}

async function* transcode(chunks: AsyncIterable<Buffer>, charset: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(charset)
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }))
  yield Buffer.from(decoder.decode())
}

async function* skipBytes(chunks: AsyncIterable<Buffer>, count: number): AsyncGenerator<Buffer> {
  let left = count
  for await (const chunk of chunks) {
    const skipped = Math.min(left, chunk.length)
    left -= skipped
    if (skipped < chunk.length) yield chunk.subarray(skipped)
  }
}
