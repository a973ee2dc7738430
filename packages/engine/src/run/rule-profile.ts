import type { AtomWatch } from '../plan/field-atoms.ts'
import type { RuleIndex } from '../plan/rule-index.ts'
import { SampledTimes } from '../plan/sampling-timer.ts'
import type { RuleTally } from './rule-counters.ts'

/**
 * Looks on while an engine learns of an index, so that its rules can be told what they cost, and says which of
 * them it leaves out.
 */
export class IndexWatch implements AtomWatch {
  /** By rule of the index: how often its formula was evaluated. */
  readonly candidates: Uint32Array
  readonly times: SampledTimes | undefined
  /** By atom: 1 where all rules that read it are left out. */
  readonly isOff: Uint8Array
  readonly #leftOut = new Set<number>()
  readonly #index: RuleIndex

  /** Counts alone where there is no clock. */
  constructor(index: RuleIndex, now: (() => number) | undefined) {
    this.#index = index
    this.candidates = new Uint32Array(index.formulas.length)
    this.isOff = new Uint8Array(index.atoms.length)
    this.times = now && new SampledTimes(index.atoms.length, now)
  }

  /** Whether a rule is left out: nothing is learned of it. */
  isLeftOut(rule: number): boolean {
    // Mostly none is, and all that are tried are asked about.
    return this.#leftOut.size > 0 && this.#leftOut.has(rule)
  }

  /** Whether these rules are left out, and no others. */
  leavesOut(rules: readonly number[]): boolean {
    return rules.length === this.#leftOut.size && rules.every((rule) => this.#leftOut.has(rule))
  }

  /** Leaves rules out, before anything is learned. */
  leaveOut(rules: readonly number[]): void {
    if (rules.length === 0) return
    for (const rule of rules) this.#leftOut.add(rule)
    const { readers } = this.#index
    for (const atom of this.isOff.keys()) {
      this.isOff[atom] = readers.some(atom, (rule) => !this.#leftOut.has(rule)) ? 0 : 1
    }
  }

  /**
   * Moves what it saw to the tally of a rule set, by the numbers that the rules have there. The rules that read
   * an atom share what it took.
   */
  settle(numbers: Int32Array, tally: RuleTally): void {
    for (let rule = 0; rule < numbers.length; rule++) {
      if (numbers[rule] !== -1) tally.candidates[numbers[rule]!]! += this.candidates[rule]!
    }
    this.candidates.fill(0)
    this.times?.drain((atom, ns) => {
      const readers: number[] = []
      this.#index.readers.forEach(atom, (rule) => {
        if (numbers[rule] !== -1) readers.push(numbers[rule]!)
      })
      for (const number of readers) tally.ns[number]! += ns / readers.length
    })
  }
}
