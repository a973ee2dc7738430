import type { EventObject, NormalizedEvent } from '../event/event.ts'
import { normalizeEvent } from '../taxonomy/normalize.ts'
import type { ByteRunner } from './byte-runner.ts'
import { LineWriter } from './line-writer.ts'
import type { Runner } from './runner.ts'
import type { Hit } from './undecided-rows.ts'

/** What came of a batch of events. */
export type ObjectsResult = {
  /** By row, then by rule. */
  readonly hits: readonly Hit[]
  /** The event of a row as rules read it. */
  readonly normalizedOf: (row: number) => NormalizedEvent
  /** Events of unknown logsource. */
  readonly unroutedCount: number
}

/** Events that are walked before the first is written: a kernel takes some milliseconds and megabytes to begin with. */
export const walkedMin = 1_024

/**
 * Runs the rules of a runner on events that are objects.
 *
 * Flat events of Windows are written as lines again and handed to the kernel, once there are many of them:
 * writing one costs less than parsing it did, and less than looking up its values one by one, since V8 has to
 * read every new string for its hash before it finds it in a map. The others are walked.
 */
export class ObjectRunner {
  #runner: Runner
  readonly #byteRunner: ByteRunner | undefined
  /** Made when the first event is written. */
  #writer: LineWriter | undefined
  #eventCount = 0

  constructor(runner: Runner, byteRunner: ByteRunner | undefined) {
    this.#runner = runner
    this.#byteRunner = byteRunner
  }

  /** Runs another rule set from now on; the byte runner is told by whoever made it. */
  use(runner: Runner): void {
    this.#runner = runner
  }

  /** Says the same of each event whichever way it goes. */
  run(events: readonly EventObject[]): ObjectsResult {
    const { taxonomy } = this.#runner
    const normalized: NormalizedEvent[] = []
    const normalizedOf = (row: number): NormalizedEvent => (normalized[row] ??= normalizeEvent(events[row]!, taxonomy))
    const isWritten = this.#byteRunner !== undefined && this.#eventCount >= walkedMin
    this.#eventCount += events.length

    const { held, undecided, rest } = isWritten ? this.#runLines(events, this.#byteRunner) : allRest(events)
    const walked = rest.map(normalizedOf)
    const hits = [
      ...held,
      ...this.#runner.settle(undecided, (rows) => rows.map(normalizedOf)),
      ...(walked.length === 0 ? [] : this.#runner.run(walked)).map(({ row, number }) => ({ row: rest[row]!, number })),
    ]
    hits.sort((a, b) => a.row - b.row || a.number - b.number)
    return { hits, normalizedOf, unroutedCount: walked.filter(({ logsources }) => logsources.length === 0).length }
  }

  /** Runs those events as lines that can be. */
  #runLines(events: readonly EventObject[], byteRunner: ByteRunner): Outcome {
    const outcome: Outcome = { held: [], undecided: [], rest: [] }
    const writer = (this.#writer ??= new LineWriter())
    // An event that throws when it is read may have left lines before it.
    writer.clear()
    for (let row = 0; row < events.length; row++) {
      if (!writer.write(events[row]!, row)) outcome.rest.push(row)
      else if (writer.isFull) runWritten(writer, byteRunner, outcome)
    }
    runWritten(writer, byteRunner, outcome)
    return outcome
  }
}

/** What lines came to, by the rows of their events; the rest is to be walked. */
type Outcome = { readonly held: Hit[]; readonly undecided: Hit[]; readonly rest: number[] }

function allRest(events: readonly EventObject[]): Outcome {
  return { held: [], undecided: [], rest: [...events.keys()] }
}

/** Runs the lines of a writer and clears it. */
function runWritten(writer: LineWriter, byteRunner: ByteRunner, { held, undecided, rest }: Outcome): void {
  if (writer.rows.length === 0) return
  const lines = byteRunner.run(writer.bytes)
  for (const { line, number } of lines.held) held.push({ row: writer.rows[line]!, number })
  for (const { line, number } of lines.undecided) undecided.push({ row: writer.rows[line]!, number })
  for (const { line } of lines.slow) rest.push(writer.rows[line]!)
  writer.clear()
}
