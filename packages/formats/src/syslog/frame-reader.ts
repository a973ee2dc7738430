/** How messages are separated in a stream (RFC 6587); `auto` decides for each. */
export const syslogFramings = ['auto', 'octet_counted', 'newline'] as const
export type SyslogFraming = (typeof syslogFramings)[number]

type FrameReaderOptions = {
  readonly framing: SyslogFraming
  /** Bytes of a message; of a longer one nothing is kept. */
  readonly messageBytesMax: number
  /** Called for each message that was too long. */
  readonly onTooLong: () => void
}

const newline = 0x0a
const space = 0x20
const lessThan = 0x3c
const digit0 = 0x30
const digit9 = 0x39

/** Digits of a length: more are none. */
const lengthDigitsMax = 8
const nothing = Buffer.alloc(0)

/**
 * Splits a stream of syslog into messages: octet-counted (`12 <34>1 ...`) and those that end at a line feed, also mixed. What is
 * left when the stream ends, or rests for a while, is a message as well, because some senders frame none. It holds at most one
 * message and one chunk.
 */
export class FrameReader {
  readonly #options: FrameReaderOptions
  #pending: Buffer = nothing
  /** Bytes of `#pending` that are known to have no end of a message. */
  #scannedCount = 0
  /** Bytes of a message that is too long and not here yet; infinite until its line ends. */
  #skippedCount = 0

  constructor(options: FrameReaderOptions) {
    this.#options = options
  }

  /** The messages that a chunk completes. */
  push(chunk: Buffer): Buffer[] {
    let at = 0
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk])
    const messages: Buffer[] = []
    for (;;) {
      at = this.#skip(at)
      const frame = at < this.#pending.length ? this.#findFrame(at) : undefined
      if (frame === undefined) break
      if (frame.end > frame.start) messages.push(this.#pending.subarray(frame.start, frame.end))
      at = frame.next
      this.#scannedCount = 0
    }
    // A copy, so that a few bytes do not keep the whole chunk.
    this.#pending = at >= this.#pending.length ? nothing : Buffer.from(this.#pending.subarray(at))
    return messages
  }

  /** Whether a message has begun that may be whole: one without a length. */
  get hasRest(): boolean {
    return this.#pending.length > 0 && this.#findLength(0) === undefined
  }

  /** Ends the message that has begun, at the end of the stream or after a rest. */
  takeRest(): Buffer | undefined {
    const rest = this.hasRest ? this.#pending : undefined
    this.#pending = nothing
    this.#scannedCount = 0
    return rest
  }

  #skip(from: number): number {
    let at = from
    if (this.#skippedCount === Number.POSITIVE_INFINITY) {
      const end = this.#pending.indexOf(newline, at)
      if (end === -1) return this.#pending.length
      this.#skippedCount = 0
      return end + 1
    }
    const count = Math.min(this.#skippedCount, this.#pending.length - at)
    this.#skippedCount -= count
    at += count
    // Some senders end counted messages with a line feed as well.
    while (this.#skippedCount === 0 && isFiller(this.#pending[at])) at++
    return at
  }

  #findFrame(at: number): { readonly start: number; readonly end: number; readonly next: number } | undefined {
    const { messageBytesMax, onTooLong } = this.#options
    const counted = this.#findLength(at)
    if (counted === 'unknown') return undefined
    if (counted !== undefined) {
      const { start, length } = counted
      if (length > messageBytesMax) {
        onTooLong()
        this.#skippedCount = length
        return { start, end: start, next: start }
      }
      return start + length > this.#pending.length ? undefined : { start, end: start + length, next: start + length }
    }
    const end = this.#pending.indexOf(newline, at + this.#scannedCount)
    const length = (end === -1 ? this.#pending.length : end) - at
    if (length > messageBytesMax) {
      onTooLong()
      this.#skippedCount = end === -1 ? Number.POSITIVE_INFINITY : 0
      return { start: at, end: at, next: end === -1 ? this.#pending.length : end + 1 }
    }
    this.#scannedCount = end === -1 ? length : 0
    return end === -1 ? undefined : { start: at, end, next: end + 1 }
  }

  /** The length that a message begins with, `unknown` while it has not arrived, and undefined for a message without one. */
  #findLength(at: number): { readonly start: number; readonly length: number } | 'unknown' | undefined {
    const { framing } = this.#options
    if (framing === 'newline') return undefined
    let end = at
    while (end - at < lengthDigitsMax && isDigit(this.#pending[end])) end++
    if (end === at) return undefined
    if (end === this.#pending.length) return 'unknown'
    if (this.#pending[end] !== space) return undefined
    const length = Number(this.#pending.toString('latin1', at, end))
    if (framing === 'octet_counted') return { start: end + 1, length }
    // A line may begin with a number, too: a counted message begins with its priority.
    if (end + 1 === this.#pending.length) return 'unknown'
    return this.#pending[end + 1] === lessThan && length > 0 ? { start: end + 1, length } : undefined
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= digit0 && byte <= digit9
}

/** Line ends and zero bytes between messages. */
function isFiller(byte: number | undefined): boolean {
  return byte === newline || byte === 0x0d || byte === 0
}
