import { Kernel } from '../kernel/kernel.ts'
import { ByteHost } from './kernel-host.ts'
import type { LinePlace } from './kernel-host.ts'
import type { RuleMemory, Decision } from './match-cache.ts'
import type { Part } from './route-index.ts'
import type { Runner } from './runner.ts'

/** A line on which a rule holds, or is undecided; the rule by its number in the rule set. */
export type LineHit = LinePlace & { readonly number: number }

/** What a run over bytes came to. */
export type BytesOutcome = {
  readonly lineCount: number
  /** Events that were matched without being parsed. */
  readonly eventCount: number
  readonly held: readonly LineHit[]
  readonly undecided: readonly LineHit[]
  /** Lines that have to be parsed: what is no flat Windows event, and whatever is unusual in one. */
  readonly slow: readonly LinePlace[]
}

/**
 * Runs the rules of a runner on lines of JSON as bytes, with a kernel before what the runner has learned:
 * of most events no string is made. Says the same as the runner says of the parsed events.
 */
export class ByteRunner {
  #runner: Runner
  /** Made when the first bytes come. */
  #host: ByteHost | undefined
  /** Those of the runner that the host answers from. */
  #memories: readonly RuleMemory[]
  #held: LineHit[] = []
  #undecided: LineHit[] = []
  #slow: LinePlace[] = []

  /** One for a runner, where that can be matched by bytes and the platform has what it takes. */
  static for(runner: Runner): ByteRunner | undefined {
    return runner.readsFlatEvents && Kernel.isAvailable ? new ByteRunner(runner) : undefined
  }

  constructor(runner: Runner) {
    this.#runner = runner
    this.#memories = runner.memories
  }

  /** Runs another rule set from now on; what was learned of indexes that both have stays. */
  use(runner: Runner): void {
    this.#runner = runner
    if (this.#host?.use(runner) !== true) this.#host = undefined
    this.#memories = runner.memories
  }

  /** Runs whole lines; the last one may lack its line feed. Keeps nothing of the buffer. */
  run(bytes: Uint8Array): BytesOutcome {
    this.#runner.renewWhenFull()
    // Events that were parsed may have filled the memories as well.
    if (this.#runner.memories !== this.#memories || this.#host?.isFull === true) this.#host = undefined
    this.#memories = this.#runner.memories
    this.#host ??= this.#newHost()
    const counts = this.#host.run(bytes)
    const outcome = { ...counts, held: this.#held, undecided: this.#undecided, slow: this.#slow }
    this.#held = []
    this.#undecided = []
    this.#slow = []
    return outcome
  }

  #newHost(): ByteHost {
    return new ByteHost(this.#runner, {
      found: (place, memory, decision) => this.#found(place, memory, decision),
      slow: (place) => this.#slow.push(place),
    })
  }

  #found(place: LinePlace, memory: RuleMemory, { held, undecided }: Decision): void {
    const part = this.#runner.partOf(memory)
    addHits(this.#held, place, held, part)
    addHits(this.#undecided, place, undecided, part)
  }
}

/** Adds the rules that still run. Matches are many: a list of their numbers would take as long as they do. */
function addHits(hits: LineHit[], { line, start, length }: LinePlace, rules: readonly number[], { numbers }: Part): void {
  for (let i = 0; i < rules.length; i++) {
    const number = numbers[rules[i]!]!
    if (number !== -1) hits.push({ line, start, length, number })
  }
}
