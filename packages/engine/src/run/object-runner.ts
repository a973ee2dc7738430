import type { EventObject, NormalizedEvent } from '../event/event.ts'
import { normalizeEvent } from '../taxonomy/normalize.ts'
import type { ByteRunner } from './byte-runner.ts'
import { LineWriter } from './line-writer.ts'
import type { Runner } from './runner.ts'
import type { Hit } from './undecided-rows.ts'
import { eventsBeforeKernelMin } from './value-runner.ts'
import type { ValueRunner } from './value-runner.ts'

/** The result for a batch of events. */
export type ObjectsResult = {
  /** By row, then by rule. */
  readonly hits: readonly Hit[]
  /** The normalized event of a row. */
  readonly getNormalized: (row: number) => NormalizedEvent
  /** Events of unknown logsource. */
  readonly unroutedCount: number
}

/**
 * Runs the rules of a runner on objects.
 *
 * Once there are many, flat Windows events are serialized to lines again for the kernel: this costs less than looking up
 * their values one by one, because V8 has to hash every new string before a map lookup. Other events are matched field
 * by field.
 */
export class ObjectRunner {
  #runner: Runner
  readonly #byteRunner: ByteRunner | undefined
  readonly #valueRunner: ValueRunner
  /** Created when the first event is written. */
  #writer: LineWriter | undefined
  #eventCount = 0

  constructor(runner: Runner, byteRunner: ByteRunner | undefined, valueRunner: ValueRunner) {
    this.#runner = runner
    this.#byteRunner = byteRunner
    this.#valueRunner = valueRunner
  }

  /** Switches to another rule set; the owner of the byte runner switches that one. */
  use(runner: Runner): void {
    this.#runner = runner
  }

  /** Matches a batch; both ways give the same result for an event. */
  run(events: readonly EventObject[]): ObjectsResult {
    const { taxonomy } = this.#runner
    const normalized: NormalizedEvent[] = []
    const getNormalized = (row: number): NormalizedEvent => (normalized[row] ??= normalizeEvent(events[row]!, taxonomy))
    const isWritten = this.#byteRunner !== undefined && this.#eventCount >= eventsBeforeKernelMin
    this.#eventCount += events.length

    const { matched, undecided, rest } = isWritten ? this.#runLines(events, this.#byteRunner) : leaveAll(events)
    const others = rest.map(getNormalized)
    const hits = [
      ...matched,
      ...this.#runner.evaluateUndecided(undecided, (rows) => rows.map(getNormalized)),
      ...(others.length === 0 ? [] : this.#valueRunner.run(others)).map(({ row, number }) => ({ row: rest[row]!, number })),
    ]
    hits.sort((a, b) => a.row - b.row || a.number - b.number)
    return { hits, getNormalized, unroutedCount: others.filter(({ logsources }) => logsources.length === 0).length }
  }

  /** Runs the events that can be written as lines; lists the others in `rest`. */
  #runLines(events: readonly EventObject[], byteRunner: ByteRunner): WrittenOutcome {
    const outcome: WrittenOutcome = { matched: [], undecided: [], rest: [] }
    const writer = (this.#writer ??= new LineWriter())
    // An event that threw while it was read may have left lines behind.
    writer.clear()
    for (let row = 0; row < events.length; row++) {
      if (!writer.write(events[row]!, row)) outcome.rest.push(row)
      else if (writer.isFull) runWritten(writer, byteRunner, outcome)
    }
    runWritten(writer, byteRunner, outcome)
    return outcome
  }
}

/** The result of lines by the rows of their events; the caller matches `rest` field by field. */
type WrittenOutcome = { readonly matched: Hit[]; readonly undecided: Hit[]; readonly rest: number[] }

function leaveAll(events: readonly EventObject[]): WrittenOutcome {
  return { matched: [], undecided: [], rest: [...events.keys()] }
}

/** Runs the lines of a writer and clears it. */
function runWritten(writer: LineWriter, byteRunner: ByteRunner, { matched, undecided, rest }: WrittenOutcome): void {
  if (writer.rows.length === 0) return
  const lines = byteRunner.run(writer.bytes)
  for (const { line, number } of lines.matched) matched.push({ row: writer.rows[line]!, number })
  for (const { line, number } of lines.undecided) undecided.push({ row: writer.rows[line]!, number })
  for (const { line } of lines.slow) rest.push(writer.rows[line]!)
  writer.clear()
}
