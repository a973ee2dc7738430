import { Kernel } from '../kernel/kernel.ts'
import { KernelHost } from './kernel-host.ts'
import type { LineSpan } from './kernel-host.ts'
import type { MatchCache, Decision } from './match-cache.ts'
import type { RulePart } from './route-index.ts'
import type { Runner } from './runner.ts'

/** A line on which a rule holds, or is undecided; the rule by its number in the rule set. */
export type LineHit = LineSpan & { readonly number: number }

/** What a run over bytes came to. */
export type BytesOutcome = {
  readonly lineCount: number
  /** Events that were matched without being parsed. */
  readonly eventCount: number
  readonly held: readonly LineHit[]
  readonly undecided: readonly LineHit[]
  /** Lines that have to be parsed: what is no flat Windows event, and whatever is unusual in one. */
  readonly slow: readonly LineSpan[]
}

/**
 * Runs the rules of a runner on lines of JSON as bytes, with a kernel before what the runner has learned:
 * of most events no string is made. Says the same as the runner says of the parsed events.
 */
export class ByteRunner {
  #runner: Runner
  /** Made when the first bytes come. */
  #host: KernelHost | undefined
  /** Those of the runner that the host answers from. */
  #caches: readonly MatchCache[]
  #matched: LineHit[] = []
  #undecided: LineHit[] = []
  #slow: LineSpan[] = []

  /** One for a runner, where that can be matched by bytes and the platform has what it takes. */
  static create(runner: Runner): ByteRunner | undefined {
    return runner.readsFlatEvents && Kernel.isAvailable ? new ByteRunner(runner) : undefined
  }

  constructor(runner: Runner) {
    this.#runner = runner
    this.#caches = runner.caches
  }

  /** Runs another rule set from now on; what was learned of indexes that both have stays. */
  use(runner: Runner): void {
    this.#runner = runner
    if (this.#host?.use(runner) !== true) this.#host = undefined
    this.#caches = runner.caches
  }

  /** Runs whole lines; the last one may lack its line feed. Keeps nothing of the buffer. */
  run(bytes: Uint8Array): BytesOutcome {
    this.#runner.renewFullCaches()
    // Events that were parsed may have filled the memories as well.
    if (this.#runner.caches !== this.#caches || this.#host?.isFull === true) this.#host = undefined
    this.#caches = this.#runner.caches
    this.#host ??= this.#createHost()
    const counts = this.#host.run(bytes)
    const outcome = { ...counts, held: this.#matched, undecided: this.#undecided, slow: this.#slow }
    this.#matched = []
    this.#undecided = []
    this.#slow = []
    return outcome
  }

  #createHost(): KernelHost {
    return new KernelHost(this.#runner, {
      onDecision: (place, memory, decision) => this.#addDecision(place, memory, decision),
      onSlowLine: (place) => this.#slow.push(place),
    })
  }

  #addDecision(place: LineSpan, memory: MatchCache, { matched, undecided }: Decision): void {
    const part = this.#runner.getPart(memory)
    addHits(this.#matched, place, matched, part)
    addHits(this.#undecided, place, undecided, part)
  }
}

/** Adds the rules that still run. Matches are many: a list of their numbers would take as long as they do. */
function addHits(hits: LineHit[], { line, start, length }: LineSpan, rules: readonly number[], { numbers }: RulePart): void {
  for (let i = 0; i < rules.length; i++) {
    const number = numbers[rules[i]!]!
    if (number !== -1) hits.push({ line, start, length, number })
  }
}
