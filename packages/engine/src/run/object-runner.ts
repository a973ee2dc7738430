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
  readonly getNormalized: (row: number) => NormalizedEvent
  /** Events of unknown logsource. */
  readonly unroutedCount: number
}

/** Events that are walked before the first is written: a kernel takes some milliseconds and megabytes to begin with. */
export const eventsBeforeKernelMin = 1_024

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
    const isWritten = this.#byteRunner !== undefined && this.#eventCount >= eventsBeforeKernelMin
    this.#eventCount += events.length

    const { matched, undecided, rest } = isWritten ? this.#runLines(events, this.#byteRunner) : leaveAll(events)
    const walked = rest.map(normalizedOf)
    const hits = [
      ...matched,
      ...this.#runner.evaluateUndecided(undecided, (rows) => rows.map(normalizedOf)),
      ...(walked.length === 0 ? [] : this.#runner.run(walked)).map(({ row, number }) => ({ row: rest[row]!, number })),
    ]
    hits.sort((a, b) => a.row - b.row || a.number - b.number)
    return { hits, getNormalized: normalizedOf, unroutedCount: walked.filter(({ logsources }) => logsources.length === 0).length }
  }

  /** Runs those events as lines that can be. */
  #runLines(events: readonly EventObject[], byteRunner: ByteRunner): WrittenOutcome {
    const outcome: WrittenOutcome = { matched: [], undecided: [], rest: [] }
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
type WrittenOutcome = { readonly matched: Hit[]; readonly undecided: Hit[]; readonly rest: number[] }

function leaveAll(events: readonly EventObject[]): WrittenOutcome {
  return { matched: [], undecided: [], rest: [...events.keys()] }
}

/** Runs the lines of a writer and clears it. */
function runWritten(writer: LineWriter, byteRunner: ByteRunner, { matched, undecided, rest }: WrittenOutcome): void {
  if (writer.rows.length === 0) return
  const lines = byteRunner.run(writer.bytes)
  for (const { line, number } of lines.held) matched.push({ row: writer.rows[line]!, number })
  for (const { line, number } of lines.undecided) undecided.push({ row: writer.rows[line]!, number })
  for (const { line } of lines.slow) rest.push(writer.rows[line]!)
  writer.clear()
}
