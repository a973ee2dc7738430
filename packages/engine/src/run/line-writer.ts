import type { EventObject } from '../event/event.ts'
import { textEncoder } from '../event/text-encoder.ts'

/** Bytes at which the lines are run: this much stays in the L2 cache together with the kernel's tables. */
const fullSize = 65_536

/** Characters of the longest event that is written; each may take six bytes in JSON. */
const lengthMax = 32_768

const lineFeed = 0x0a

/**
 * Serializes flat Windows events to lines of JSON for the kernel. Rejects events that JSON would not round-trip.
 */
export class LineWriter {
  /** By line: the row of the event. */
  readonly rows: number[] = []
  readonly #buffer = new Uint8Array(fullSize + 6 * lengthMax)
  #size = 0

  /** Whether the buffer is full: run the lines and call `clear` before the next write. */
  get isFull(): boolean {
    return this.#size >= fullSize
  }

  /** The lines; valid until the next write. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#size)
  }

  /** Discards the lines. */
  clear(): void {
    this.rows.length = 0
    this.#size = 0
  }

  /** Writes the event of a row and returns whether it did; on platforms without a text encoder it never does. */
  write(event: EventObject, row: number): boolean {
    return looksFlat(event) && isWritable(event) && this.writeJson(JSON.stringify(event), row)
  }

  /** Writes a line of JSON for a row; says whether it did, as above. */
  writeJson(json: string, row: number): boolean {
    if (textEncoder === undefined || json.length > 6 * lengthMax) return false
    const { read, written } = textEncoder.encodeInto(json, this.#buffer.subarray(this.#size, -1))
    if (read < json.length) return false
    this.#size += written
    this.#buffer[this.#size++] = lineFeed
    this.rows.push(row)
    return true
  }
}

/** Whether an event is flat, not too long, and round-trips through JSON. */
function isWritable(event: EventObject): boolean {
  if (event['toJSON'] !== undefined) return false
  let length = 0
  for (const name in event) {
    const value = event[name]
    if (typeof value === 'string') length += value.length
    else if (!isPlain(value)) return false
    // A member takes six bytes besides its name and value; a number takes less than thirty.
    length += name.length + 1 + (typeof value === 'number' ? 5 : 0)
    if (length > lengthMax) return false
  }
  return true
}

/** Whether an event looks like a flat Windows event that the kernel can route: a cheap guess. */
function looksFlat(event: EventObject): boolean {
  return event['EventID'] !== undefined && event['Hostname'] === undefined
    && (event['Channel'] !== undefined || event['Provider_Name'] !== undefined)
}

/** Whether a value that is no text is a scalar of JSON. */
function isPlain(value: unknown): boolean {
  return value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
}
