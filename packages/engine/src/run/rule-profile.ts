import type { AtomProfile } from '../plan/field-atoms.ts'
import type { RuleIndex } from '../plan/rule-index.ts'
import { SamplingTimer } from '../plan/sampling-timer.ts'
import type { RuleCounters } from './rule-counters.ts'

/**
 * Looks on while an engine learns of an index, so that its rules can be told what they cost, and says which of
 * them it leaves out.
 */
export class RuleProfile implements AtomProfile {
  /** By rule of the index: how often its formula was evaluated. */
  readonly candidates: Uint32Array
  readonly timer: SamplingTimer | undefined
  /** By atom: 1 where all rules that read it are left out. */
  readonly isDisabled: Uint8Array
  readonly #excluded = new Set<number>()
  readonly #index: RuleIndex

  /** Counts alone where there is no clock. */
  constructor(index: RuleIndex, now: (() => number) | undefined) {
    this.#index = index
    this.candidates = new Uint32Array(index.formulas.length)
    this.isDisabled = new Uint8Array(index.atoms.length)
    this.timer = now && new SamplingTimer(index.atoms.length, now)
  }

  /** Whether a rule is left out: nothing is learned of it. */
  isExcluded(rule: number): boolean {
    // Mostly none is, and all that are tried are asked about.
    return this.#excluded.size > 0 && this.#excluded.has(rule)
  }

  /** Whether these rules are left out, and no others. */
  excludesExactly(rules: readonly number[]): boolean {
    return rules.length === this.#excluded.size && rules.every((rule) => this.#excluded.has(rule))
  }

  /** Leaves rules out, before anything is learned. */
  exclude(rules: readonly number[]): void {
    if (rules.length === 0) return
    for (const rule of rules) this.#excluded.add(rule)
    const { rulesByAtom } = this.#index
    for (const atom of this.isDisabled.keys()) {
      this.isDisabled[atom] = rulesByAtom.some(atom, (rule) => !this.#excluded.has(rule)) ? 0 : 1
    }
  }

  /**
   * Moves what it saw to the tally of a rule set, by the numbers that the rules have there. The rules that read
   * an atom share what it took.
   */
  flushTo(numbers: Int32Array, tally: RuleCounters): void {
    for (let rule = 0; rule < numbers.length; rule++) {
      if (numbers[rule] !== -1) tally.candidates[numbers[rule]!]! += this.candidates[rule]!
    }
    this.candidates.fill(0)
    this.timer?.drain((atom, ns) => {
      const readers: number[] = []
      this.#index.rulesByAtom.forEach(atom, (rule) => {
        if (numbers[rule] !== -1) readers.push(numbers[rule]!)
      })
      for (const number of readers) tally.ns[number]! += ns / readers.length
    })
  }
}
