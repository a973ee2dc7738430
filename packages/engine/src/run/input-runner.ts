import type { EventObject } from '../event/event.ts'
import { ByteRunner } from './byte-runner.ts'
import { LineRunner } from './line-runner.ts'
import type { LinesResult } from './line-runner.ts'
import { ObjectRunner } from './object-runner.ts'
import type { ObjectsResult } from './object-runner.ts'
import type { Runner } from './runner.ts'
import { ValueRunner } from './value-runner.ts'

/** Runs the rules of a runner on lines or on objects; both share one kernel. */
export class InputRunner {
  readonly #bytes: ByteRunner | undefined
  readonly #values: ValueRunner
  readonly #lines: LineRunner
  readonly #objects: ObjectRunner

  constructor(runner: Runner) {
    this.#bytes = ByteRunner.create(runner)
    this.#values = new ValueRunner(runner)
    this.#lines = new LineRunner(runner, this.#bytes, this.#values)
    this.#objects = new ObjectRunner(runner, this.#bytes, this.#values)
  }

  /** Switches to another rule set; the caches of shared indexes stay. */
  use(runner: Runner): void {
    this.#bytes?.use(runner)
    this.#values.use(runner)
    this.#lines.use(runner)
    this.#objects.use(runner)
  }

  /** Runs whole lines; the last one may lack its line feed. */
  runLines(bytes: Uint8Array): LinesResult {
    return this.#lines.run(bytes)
  }

  /** Runs a batch of events. */
  runObjects(events: readonly EventObject[]): ObjectsResult {
    return this.#objects.run(events)
  }
}
