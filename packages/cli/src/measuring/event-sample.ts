import { parseEvent } from '@tripline/engine'
import { chunkLines } from '../input/chunk-lines.ts'
import { limits } from '../limits.ts'

/** Whole lines that are pushed at once. */
export type SampleBlock = {
  /** NDJSON in UTF-8. */
  readonly bytes: Uint8Array
  /** The same lines as texts. */
  readonly texts: readonly string[]
}

/** Events to measure with, all of them well-formed, in the order of the input. */
export type EventSample = {
  /** The first half, which warms; the second is timed. */
  readonly seen: readonly SampleBlock[]
  readonly timed: readonly SampleBlock[]
  readonly eventCount: number
  readonly timedCount: number
  /** Malformed lines, which the sample leaves out. */
  readonly malformedCount: number
  /** The sample has one of this many blocks of the input: 1 if it has all. */
  readonly stride: number
}

const lineFeed = 0x0a

/**
 * Reads the events of an input, at most `limits.benchSampleBytesMax` of them: of a longer one every second,
 * fourth, eighth block of lines, so that the sample runs from its beginning to its end and takes the same
 * lines every time. Lines that are too long are left out.
 */
export async function readSample(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  progress: (lineCount: number) => void = () => {},
  bytesMax: number = limits.benchSampleBytesMax,
): Promise<EventSample> {
  const sampler = new BlockSampler(bytesMax)
  for await (const { bytes } of chunkLines(chunks)) {
    for (const line of splitLines(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))) sampler.add(line)
    progress(sampler.lineCount)
  }
  return createSample(sampler.lines(), sampler.stride)
}

/** Makes a sample of lines: halves them and cuts each half into blocks. */
export function createSample(lines: Iterable<string>, stride = 1): EventSample {
  const events: string[] = []
  let malformedCount = 0
  for (const line of lines) {
    const text = line.trim()
    if (text === '') continue
    if ('event' in parseEvent(text)) events.push(text)
    else malformedCount++
  }
  const half = Math.floor(events.length / 2)
  return {
    seen: splitIntoBlocks(events.slice(0, half)),
    timed: splitIntoBlocks(events.slice(half)),
    eventCount: events.length,
    timedCount: events.length - half,
    malformedCount,
    stride,
  }
}

/** Systematic sampling of a stream: collects blocks of lines, and drops every second one when they exceed the limit. */
class BlockSampler {
  stride = 1
  lineCount = 0
  readonly #bytesMax: number
  #blocks: { readonly number: number; readonly lines: readonly Buffer[]; readonly size: number }[] = []
  #blockBytes = 0
  #number = 0
  #lines: Buffer[] = []
  #size = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  add(line: Buffer): void {
    this.lineCount++
    this.#size += line.length + 1
    // A copy, because a view would keep the whole chunk in memory.
    if (this.#number % this.stride === 0) this.#lines.push(Buffer.from(line))
    if (this.#size >= limits.benchBlockBytesMax) this.#endBlock()
  }

  * lines(): Generator<string> {
    this.#endBlock()
    for (const { lines } of this.#blocks) for (const line of lines) yield line.toString('utf8')
  }

  #endBlock(): void {
    if (this.#lines.length > 0) {
      this.#blocks.push({ number: this.#number, lines: this.#lines, size: this.#size })
      this.#blockBytes += this.#size
    }
    this.#number++
    this.#lines = []
    this.#size = 0
    while (this.#blockBytes > this.#bytesMax && this.#blocks.length > 1) this.#thinOut()
  }

  #thinOut(): void {
    this.stride *= 2
    this.#blocks = this.#blocks.filter(({ number }) => number % this.stride === 0)
    this.#blockBytes = this.#blocks.reduce((sum, { size }) => sum + size, 0)
  }
}

function* splitLines(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(lineFeed, start)
    const end = found === -1 ? bytes.length : found
    yield bytes.subarray(start, end)
    start = end + 1
  }
}

function splitIntoBlocks(texts: readonly string[]): SampleBlock[] {
  const blocks: SampleBlock[] = []
  let start = 0
  let size = 0
  for (const [index, text] of texts.entries()) {
    size += Buffer.byteLength(text) + 1
    if (size < limits.benchBlockBytesMax && index < texts.length - 1) continue
    const lines = texts.slice(start, index + 1)
    blocks.push({ bytes: Buffer.from(`${lines.join('\n')}\n`), texts: lines })
    start = index + 1
    size = 0
  }
  return blocks
}
