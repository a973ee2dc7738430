import type { NormalizedEvent } from '../event/event.ts'
import { isKernelAvailable } from '../kernel/kernel-provider.ts'
import type { Decision, MatchCache } from './match-cache.ts'
import type { RuleSetPart } from './route-index.ts'
import type { Runner } from './runner.ts'
import type { Hit } from './undecided-rows.ts'
import { ValueHost } from './value-host.ts'

/** Events that are matched as objects before the kernel is started, which takes some milliseconds and megabytes. */
export const eventsBeforeKernelMin = 1_024

/**
 * Runs the rules of a runner on normalized events, with a kernel before what the runner has learned once there are many
 * of them; finds the same as the runner.
 */
export class ValueRunner {
  #runner: Runner
  /** Made when many events have come. */
  #host: ValueHost | undefined
  /** Those of the runner that the host answers from. */
  #caches: readonly MatchCache[]
  #eventCount = 0
  #matched: Hit[] = []
  #undecided: Hit[] = []
  #slow: number[] = []

  constructor(runner: Runner) {
    this.#runner = runner
    this.#caches = runner.caches
  }

  /** Runs another rule set from now on; what was learned of indexes that both have stays. */
  use(runner: Runner): void {
    this.#runner = runner
    this.#host?.use(runner)
    this.#caches = runner.caches
  }

  /** The rules that hold on the events of a batch, by row and then by number. */
  run(events: readonly NormalizedEvent[]): Hit[] {
    const isFirst = this.#eventCount < eventsBeforeKernelMin
    this.#eventCount += events.length
    if (isFirst || this.#runner.isPlain || !isKernelAvailable()) return this.#runner.run(events)
    this.#runner.renewFullCaches()
    if (this.#runner.caches !== this.#caches || this.#host?.isFull === true) this.#host = undefined
    this.#caches = this.#runner.caches
    this.#host ??= this.#createHost()
    this.#host.run(events)
    const [matched, undecided, slow] = [this.#matched, this.#undecided, this.#slow]
    this.#matched = []
    this.#undecided = []
    this.#slow = []
    const evaluated = this.#runner.evaluateUndecided(undecided, (rows) => rows.map((row) => events[row]!))
    const walked = slow.length === 0 ? [] : this.#runner.run(slow.map((row) => events[row]!))
    return [...matched, ...evaluated, ...walked.map(({ row, number }) => ({ row: slow[row]!, number }))]
      .sort((a, b) => a.row - b.row || a.number - b.number)
  }

  #createHost(): ValueHost {
    return new ValueHost(this.#runner, {
      onDecision: (row, cache, { matched, undecided }: Decision) => {
        const part = this.#runner.getPart(cache)
        addHits(this.#matched, row, matched, part)
        addHits(this.#undecided, row, undecided, part)
      },
      onSlowRow: (row) => this.#slow.push(row),
    })
  }
}

/** Adds the rules that still run. */
function addHits(hits: Hit[], row: number, rules: readonly number[], { numbers }: RuleSetPart): void {
  for (let i = 0; i < rules.length; i++) {
    const number = numbers[rules[i]!]!
    if (number !== -1) hits.push({ row, number })
  }
}
