import { limits } from '../limits.ts'
import type { EventDecoder, ReportProblem } from './event-decoder.ts'
import { LineCollector } from './event-decoder.ts'

/** Members whose array holds the events of a file. */
const wrapperKeys = new Set(['records', 'events', 'value', 'hits', 'logs', 'items', 'results'])
/** Members that may stand beside it: where pages continue, and how many there are. */
const besideKeys = new RegExp([
  '^(?:@odata\\..*', 'next.*', 'prev.*', 'search.*', 'count', 'total', 'size', 'page', 'limit', 'offset', 'status', 'has_?more', 'took',
  'timed_out', 'version', 'kind', 'api_?version', 'metadata', 'etag)$',
].join('|'), 'i')

const byte = {
  quote: 0x22, backslash: 0x5c, openBrace: 0x7b, closeBrace: 0x7d, openBracket: 0x5b, closeBracket: 0x5d, comma: 0x2c, colon: 0x3a,
} as const

/** Decodes JSON values one after the other, over several lines or not: objects, arrays of them, and pages such as `{"Records":[]}`. */
export const decodeJsonValues: EventDecoder = async function* (chunks, report) {
  const splitter = new JsonSplitter(report)
  for await (const chunk of chunks) {
    splitter.push(chunk)
    if (splitter.lines.isFull) yield splitter.lines.take()
  }
  splitter.end()
  yield splitter.lines.take()
}

/** Whether the text of one JSON object is a page of events rather than an event. */
export function isWrapper(bytes: Buffer): boolean {
  const splitter = new JsonSplitter(() => {})
  splitter.push(bytes)
  return splitter.hasWrapper
}

/**
 * Splits JSON at its brackets as it streams in, without parsing it: the engine parses each event. Memory is that of one event.
 */
class JsonSplitter {
  readonly lines: LineCollector
  hasWrapper = false
  /** Brackets that are open around the next byte. */
  #depth = 0
  /** Brackets around an event: 0, more within arrays and pages. */
  #eventDepth = 0
  #isInString = false
  #isEscaped = false
  /** The bytes of the value begun, in parts, and how many they are. */
  #parts: Buffer[] = []
  #length = 0
  #hasValue = false
  /** The member of a top-level object that is being read: its key, and whether its value follows. */
  #key: number[] | undefined
  #isKeyNext = false
  #keyText = ''
  /** Whether all members before were such as stand in pages. */
  #mayWrap = false
  /** Whether an array of a page begins, which its first element decides. */
  #isArrayBegun = false

  constructor(report: ReportProblem) {
    this.lines = new LineCollector(report)
  }

  push(chunk: Buffer): void {
    let start = 0
    for (let at = 0; at < chunk.length; at++) {
      const code = chunk[at]!
      if (this.#isInString) this.#readString(code)
      else if (code <= 0x20) {
        if (!this.#hasValue || this.#depth > this.#eventDepth) continue
        // A blank ends a bare word.
        this.#finish(chunk.subarray(start, at))
        start = at + 1
      } else {
        if (!this.#hasValue && this.#isBetween(code)) {
          start = at + 1
          continue
        }
        if (!this.#hasValue) start = this.#begin(at)
        start = this.#readToken(code, { chunk, start, at })
      }
    }
    if (this.#hasValue) this.#keep(chunk.subarray(start))
  }

  /** Ends the input: a value that is cut off is a line that cannot be parsed. */
  end(): void {
    if (this.#hasValue && this.#length > 0) this.#finish(Buffer.alloc(0))
  }

  /** Reads what stands between events: commas and the brackets around them. */
  #isBetween(code: number): boolean {
    if (code === byte.comma) return true
    if (code === byte.openBracket && this.#eventDepth === 0) {
      this.#depth++
      this.#eventDepth = this.#depth
      return true
    }
    if (code === byte.closeBracket && this.#eventDepth > 0 && this.#depth === this.#eventDepth) {
      this.#depth--
      // The rest of a page is read as an object that is no event.
      this.#eventDepth = 0
      if (this.#depth > 0) {
        this.#hasValue = true
        this.#isRest = true
      }
      return true
    }
    return false
  }

  #isRest = false

  #begin(at: number): number {
    this.#hasValue = true
    this.#key = undefined
    this.#isKeyNext = false
    this.#mayWrap = this.#eventDepth === 0
    this.#isArrayBegun = false
    return at
  }

  #readString(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (code === byte.backslash) this.#isEscaped = true
    else if (code === byte.quote) {
      this.#isInString = false
      if (this.#key !== undefined) {
        this.#keyText = Buffer.from(this.#key).toString('utf8')
        this.#key = undefined
      }
      return
    }
    if (this.#key !== undefined && this.#key.length < 64) this.#key.push(code)
  }

  /** Reads a byte outside of strings, and returns where the bytes not kept yet begin. */
  #readToken(code: number, { chunk, start, at }: { readonly chunk: Buffer; readonly start: number; readonly at: number }): number {
    const isMember = this.#mayWrap && this.#depth === 1 && !this.#isRest
    if (this.#isArrayBegun) {
      this.#isArrayBegun = false
      if (code === byte.openBrace || code === byte.closeBracket) return this.#enterPage(code, at)
    }
    switch (code) {
      case byte.quote:
        this.#isInString = true
        if (isMember && this.#isKeyNext) {
          this.#key = []
          this.#isKeyNext = false
        }
        break
      case byte.openBrace:
      case byte.openBracket:
        if (isMember) {
          if (code === byte.openBracket && wrapperKeys.has(this.#keyText.toLowerCase())) this.#isArrayBegun = true
          else if (!besideKeys.test(this.#keyText)) this.#mayWrap = false
        }
        if (this.#depth === 0) this.#isKeyNext = code === byte.openBrace
        this.#depth++
        break
      case byte.closeBrace:
      case byte.closeBracket:
        this.#depth--
        if (this.#depth < this.#eventDepth) this.#depth = this.#eventDepth
        if (this.#depth === this.#eventDepth) {
          this.#finish(chunk.subarray(start, at + 1))
          return at + 1
        }
        break
      case byte.comma:
        if (isMember) {
          if (!besideKeys.test(this.#keyText)) this.#mayWrap = false
          this.#isKeyNext = true
        } else if (this.#depth === this.#eventDepth) {
          this.#finish(chunk.subarray(start, at))
          return at + 1
        }
        break
      default:
    }
    return start
  }

  /** The object read so far is a page: its other members are dropped, and the elements of its array are the events. */
  #enterPage(code: number, at: number): number {
    this.hasWrapper = true
    this.#parts = []
    this.#length = 0
    this.#hasValue = false
    this.#mayWrap = false
    this.#eventDepth = this.#depth
    if (code === byte.closeBracket) {
      this.#isBetween(code)
      return at + 1
    }
    this.#begin(at)
    this.#mayWrap = false
    this.#depth++
    return at
  }

  #keep(bytes: Buffer): void {
    this.#length += bytes.length
    if (this.#length > limits.files.eventBytesMax) this.#parts = []
    else if (!this.#isRest) this.#parts.push(Buffer.from(bytes))
  }

  #finish(bytes: Buffer): void {
    this.#keep(bytes)
    if (this.#isRest) this.#isRest = false
    else if (this.#length > limits.files.eventBytesMax) {
      this.lines.addProblem(`longer than ${limits.files.eventBytesMax.toLocaleString('en')} bytes`)
    } else {
      // Line feeds stand between tokens only, where a blank means the same.
      this.lines.addJson(Buffer.concat(this.#parts).toString('utf8').replaceAll(/[\r\n]/g, ' '))
    }
    this.#parts = []
    this.#length = 0
    this.#hasValue = false
  }
}
