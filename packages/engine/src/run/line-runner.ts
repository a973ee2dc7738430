import { decodeUtf8 } from '@tripline/common/decode-utf8'
import type { NormalizedEvent } from '../event/event.ts'
import { parseEvent } from '../event/parse-event.ts'
import type { MalformedLine } from '../event/parse-event.ts'
import { splitLines } from '../event/split-lines.ts'
import { limits } from '../limits.ts'
import { normalizeEvent } from '../taxonomy/normalize.ts'
import type { ByteRunner, BytesOutcome, LineHit } from './byte-runner.ts'
import type { LineSpan } from './kernel-host.ts'
import type { Runner } from './runner.ts'
import type { ValueRunner } from './value-runner.ts'

/** A match of a rule, by number, on a line of a buffer, by number, with the text of the line. */
type TextHit = { readonly line: number; readonly number: number; readonly text: string }

/** The result for the lines of a buffer. */
export type LinesResult = {
  /** By line, then by rule. */
  readonly hits: readonly TextHit[]
  readonly malformed: readonly MalformedLine[]
  readonly lineCount: number
  readonly eventCount: number
  /** Events of unknown logsource. */
  readonly unroutedCount: number
}

/** Runs the rules of a runner on lines of JSON: on raw bytes where possible, else on parsed events. */
export class LineRunner {
  #runner: Runner
  readonly #byteRunner: ByteRunner | undefined
  readonly #valueRunner: ValueRunner

  constructor(runner: Runner, byteRunner: ByteRunner | undefined, valueRunner: ValueRunner) {
    this.#runner = runner
    this.#byteRunner = byteRunner
    this.#valueRunner = valueRunner
  }

  /** Switches to another rule set; the owner of the byte runner switches that one. */
  use(runner: Runner): void {
    this.#runner = runner
  }

  /** Runs whole lines; the last one may lack its line feed. */
  run(bytes: Uint8Array): LinesResult {
    const { lineCount, eventCount, matched, undecided, slow } = this.#byteRunner?.run(bytes) ?? markAllSlow(bytes)
    const hits = addTexts(bytes, [...matched, ...this.#evaluateUndecided(bytes, undecided)])
    const malformed: MalformedLine[] = []
    let slowCount = 0
    let unroutedCount = 0
    for (let start = 0; start < slow.length; start += limits.batchRowsMax) {
      const lines = parseLines(bytes, slow.slice(start, start + limits.batchRowsMax), malformed, this.#runner.taxonomy)
      const events = lines.map(({ event }) => event)
      for (const { row, number } of this.#valueRunner.run(events)) {
        hits.push({ line: lines[row]!.place.line, number, text: lines[row]!.text })
      }
      slowCount += events.length
      unroutedCount += events.filter(({ logsources }) => logsources.length === 0).length
    }
    hits.sort((a, b) => a.line - b.line || a.number - b.number)
    return { hits, malformed, lineCount, eventCount: eventCount + slowCount, unroutedCount }
  }

  /** Runs the matchers of undecided rules on the events of their lines; parses each line once. */
  #evaluateUndecided(bytes: Uint8Array, undecided: readonly LineHit[]): LineHit[] {
    const places = new Map(undecided.map((hit) => [hit.line, hit]))
    const rows = undecided.map(({ line, number }) => ({ row: line, number }))
    const hits = this.#runner.evaluateUndecided(rows, (lines) => (
      parseLines(bytes, lines.map((line) => places.get(line)!), [], this.#runner.taxonomy).map(({ event }) => event)
    ))
    return hits.map(({ row, number }) => ({ ...places.get(row)!, number }))
  }
}

type ParsedLine = { readonly place: LineSpan; readonly text: string; readonly event: NormalizedEvent }

/** Parses lines; adds those that are no event to `malformed`. */
function parseLines(
  bytes: Uint8Array, places: readonly LineSpan[], malformed: MalformedLine[], taxonomy: 'auto' | 'none',
): ParsedLine[] {
  return places.flatMap((place) => {
    const text = decodeLine(bytes, place)
    if (text === '') return []
    const parsed = parseEvent(text)
    if ('event' in parsed) return [{ place, text, event: normalizeEvent(parsed.event, taxonomy) }]
    malformed.push({ line: place.line, reason: parsed.reason })
    return []
  })
}

/** Adds the texts of their lines to hits; consecutive hits on a line share one string. */
function addTexts(bytes: Uint8Array, hits: readonly LineHit[]): TextHit[] {
  let line = -1
  let text = ''
  return hits.map((hit) => {
    if (hit.line !== line) text = decodeLine(bytes, hit)
    line = hit.line
    return { line, number: hit.number, text }
  })
}

/** Decodes a line; trimming removes carriage returns and a byte order mark as well. */
function decodeLine(bytes: Uint8Array, { start, length }: LineSpan): string {
  return decodeUtf8(bytes.subarray(start, start + length)).trim()
}

function markAllSlow(bytes: Uint8Array): BytesOutcome {
  const slow = Array.from(splitLines(bytes), ({ start, end }, line) => ({ line, start, length: end - start }))
  return { lineCount: slow.length, eventCount: 0, matched: [], undecided: [], slow }
}
