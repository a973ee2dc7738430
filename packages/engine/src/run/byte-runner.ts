import { isKernelAvailable } from '../kernel/kernel-provider.ts'
import { KernelHost } from './kernel-host.ts'
import type { LineSpan } from './kernel-host.ts'
import type { MatchCache, Decision } from './match-cache.ts'
import type { RuleSetPart } from './route-index.ts'
import type { Runner } from './runner.ts'

/** A line that a rule matches, or may match; `number` is the rule's in the rule set. */
export type LineHit = LineSpan & { readonly number: number }

/** The result of a run over bytes. */
export type BytesOutcome = {
  readonly lineCount: number
  /** Events that were matched without parsing. */
  readonly eventCount: number
  readonly matched: readonly LineHit[]
  readonly undecided: readonly LineHit[]
  /** Lines that have to be parsed: all but flat Windows events in usual form. */
  readonly slow: readonly LineSpan[]
}

/**
 * Runs the rules of a runner on lines of JSON as bytes, with a kernel in front of the runner's caches: most events are
 * matched without creating a string. Gives the same results as the runner gives for the parsed events.
 */
export class ByteRunner {
  #runner: Runner
  /** Created when the first bytes come. */
  #host: KernelHost | undefined
  /** The caches of the runner that the host uses. */
  #caches: readonly MatchCache[]
  #matched: LineHit[] = []
  #undecided: LineHit[] = []
  #slow: LineSpan[] = []

  /** Creates one, unless the runner's options or the platform rule out matching by bytes. */
  static create(runner: Runner): ByteRunner | undefined {
    return runner.readsFlatEvents && isKernelAvailable() ? new ByteRunner(runner) : undefined
  }

  constructor(runner: Runner) {
    this.#runner = runner
    this.#caches = runner.caches
  }

  /** Switches to another rule set; the caches of shared indexes stay. */
  use(runner: Runner): void {
    this.#runner = runner
    if (this.#host?.use(runner) !== true) this.#host = undefined
    this.#caches = runner.caches
  }

  /** Runs whole lines; the last one may lack its line feed. Keeps nothing of the buffer. */
  run(bytes: Uint8Array): BytesOutcome {
    this.#runner.renewFullCaches()
    // Parsed events fill the caches too.
    if (this.#runner.caches !== this.#caches || this.#host?.isFull === true) this.#host = undefined
    this.#caches = this.#runner.caches
    this.#host ??= this.#createHost()
    const counts = this.#host.run(bytes)
    const outcome = { ...counts, matched: this.#matched, undecided: this.#undecided, slow: this.#slow }
    this.#matched = []
    this.#undecided = []
    this.#slow = []
    return outcome
  }

  #createHost(): KernelHost {
    return new KernelHost(this.#runner, {
      onDecision: (place, cache, decision) => this.#addDecision(place, cache, decision),
      onSlowLine: (place) => this.#slow.push(place),
    })
  }

  #addDecision(place: LineSpan, cache: MatchCache, { matched, undecided }: Decision): void {
    const part = this.#runner.getPart(cache)
    addHits(this.#matched, place, matched, part)
    addHits(this.#undecided, place, undecided, part)
  }
}

/** Adds the rules that still run. A hot loop: an intermediate list would cost as much as the hits. */
function addHits(hits: LineHit[], { line, start, length }: LineSpan, rules: readonly number[], { numbers }: RuleSetPart): void {
  for (let i = 0; i < rules.length; i++) {
    const number = numbers[rules[i]!]!
    if (number !== -1) hits.push({ line, start, length, number })
  }
}
