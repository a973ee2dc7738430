import type { EventObject } from '../event/event.ts'
import { textEncoder } from '../event/text-encoder.ts'

/** Bytes of lines from which on they are run: as much stays in the nearest caches with what the kernel needs. */
const fullSize = 65_536

/** Characters of the longest event that is written. In JSON each may take six bytes. */
const lengthMax = 32_768

/**
 * Writes events as lines of JSON, as they would come from a file: flat ones of Windows, which the kernel matches
 * without their objects. Refuses whatever JSON would not give back as it is.
 */
export class LineWriter {
  /** By line: the row of its event. */
  readonly rows: number[] = []
  readonly #buffer = new Uint8Array(fullSize + 6 * lengthMax)
  #size = 0

  /** Whether the lines are to be run, and forgotten, before another event is written. */
  get isFull(): boolean {
    return this.#size >= fullSize
  }

  /** The lines, good until the next one is written. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#size)
  }

  /** Forgets the lines. */
  clear(): void {
    this.rows.length = 0
    this.#size = 0
  }

  /** Writes the event of a row; says whether it did, which it never does where the platform has no encoder. */
  write(event: EventObject, row: number): boolean {
    if (textEncoder === undefined || !looksFlat(event) || !isWritable(event)) return false
    const { written } = textEncoder.encodeInto(JSON.stringify(event), this.#buffer.subarray(this.#size))
    this.#size += written
    this.#buffer[this.#size++] = lineFeed
    this.rows.push(row)
    return true
  }
}

const lineFeed = 0x0a

/** Whether an event is flat, not too long, and what JSON says as it is. */
function isWritable(event: EventObject): boolean {
  if (event['toJSON'] !== undefined) return false
  let length = 0
  for (const name in event) {
    const value = event[name]
    if (typeof value === 'string') length += value.length
    else if (!isPlain(value)) return false
    // A member takes six bytes besides its name and value, and a number less than thirty.
    length += name.length + 1 + (typeof value === 'number' ? 5 : 0)
    if (length > lengthMax) return false
  }
  return true
}

/** Whether an event has what the flat ones of Windows have that the kernel can route; a guess that costs little. */
function looksFlat(event: EventObject): boolean {
  return event['EventID'] !== undefined && event['Hostname'] === undefined
    && (event['Channel'] !== undefined || event['Provider_Name'] !== undefined)
}

/** Whether a value that is no text is one that JSON has, and neither a list nor an object. */
function isPlain(value: unknown): boolean {
  return value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
}
