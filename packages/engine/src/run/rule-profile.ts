import type { AtomProfile } from '../plan/field-atoms.ts'
import type { RuleIndex } from '../plan/rule-index.ts'
import { SamplingTimer } from '../plan/sampling-timer.ts'
import type { RuleCounters } from './rule-counters.ts'

/**
 * Profiles the rules of an index while an engine runs it: evaluations of rules and sampled times of atoms. Also holds the
 * rules that the engine excludes.
 */
export class RuleProfile implements AtomProfile {
  /** By rule of the index: the number of evaluations of its formula. */
  readonly candidates: Uint32Array
  readonly timer: SamplingTimer | undefined
  /** By atom: 1 if all rules that read it are excluded. */
  readonly isDisabled: Uint8Array
  readonly #excluded = new Set<number>()
  readonly #index: RuleIndex

  /** Without a clock it only counts. */
  constructor(index: RuleIndex, now: (() => number) | undefined) {
    this.#index = index
    this.candidates = new Uint32Array(index.formulas.length)
    this.isDisabled = new Uint8Array(index.atoms.length)
    this.timer = now && new SamplingTimer(index.atoms.length, now)
  }

  /** Whether a rule is excluded: it is not evaluated. */
  isExcluded(rule: number): boolean {
    // Called for every candidate, and mostly no rule is excluded.
    return this.#excluded.size > 0 && this.#excluded.has(rule)
  }

  /** Whether exactly these rules are excluded. */
  excludesExactly(rules: readonly number[]): boolean {
    return rules.length === this.#excluded.size && rules.every((rule) => this.#excluded.has(rule))
  }

  /** Excludes rules; called before the first event. */
  exclude(rules: readonly number[]): void {
    if (rules.length === 0) return
    for (const rule of rules) this.#excluded.add(rule)
    const { rulesByAtom } = this.#index
    for (const atom of this.isDisabled.keys()) {
      this.isDisabled[atom] = rulesByAtom.some(atom, (rule) => !this.#excluded.has(rule)) ? 0 : 1
    }
  }

  /**
   * Moves its measurements to the counters of a rule set; `numbers` are those of the rules there. The rules that read an
   * atom share its time equally.
   */
  flushTo(numbers: Int32Array, counters: RuleCounters): void {
    for (let rule = 0; rule < numbers.length; rule++) {
      if (numbers[rule] !== -1) counters.candidates[numbers[rule]!]! += this.candidates[rule]!
    }
    this.candidates.fill(0)
    this.timer?.drain((atom, ns) => {
      const readers: number[] = []
      this.#index.rulesByAtom.forEach(atom, (rule) => {
        if (numbers[rule] !== -1) readers.push(numbers[rule]!)
      })
      for (const number of readers) counters.ns[number]! += ns / readers.length
    })
  }
}
