import { limits } from '../limits.ts'

/** A part of a file that is no event: where, counted as the lines of the output from 0, and why. */
type FileProblem = { readonly line: number; readonly reason: string }
export type ReportProblem = (problem: FileProblem) => void

/**
 * Decodes a format to NDJSON: chunks of whole lines, one event each. A part that is no event is reported, and its line is empty.
 * Lines are those of the file where the format has lines; of others, such as JSON arrays and Windows logs, they count events.
 * `readAt` completes times without a year.
 */
export type EventDecoder = (chunks: AsyncIterable<Buffer>, report: ReportProblem, readAt: number) => AsyncGenerator<Buffer>

const flushedCharacters = 65_536

/** Collects lines of NDJSON, numbers them, and reports problems under the number of an empty line. */
export class LineCollector {
  readonly #report: ReportProblem
  #lineCount = 0
  #text = ''

  constructor(report: ReportProblem) {
    this.#report = report
  }

  get isFull(): boolean {
    return this.#text.length >= flushedCharacters
  }

  addJson(json: string): void {
    this.#text += `${json}\n`
    this.#lineCount++
  }

  addBlank(count = 1): void {
    this.#text += '\n'.repeat(count)
    this.#lineCount += count
  }

  addProblem(reason: string): void {
    this.#report({ line: this.#lineCount, reason: reason.slice(0, limits.files.problemCharactersMax) })
    this.addBlank()
  }

  /** Takes the bytes collected so far. */
  take(): Buffer {
    const bytes = Buffer.from(this.#text)
    this.#text = ''
    return bytes
  }
}
