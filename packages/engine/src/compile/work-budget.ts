import type { Predicate } from '../predicate/predicate.ts'
import { estimateProgramSize } from '../predicate/matchers/estimate-program-size.ts'

/**
 * A budget for compiling untrusted text, in work units. The compiler spends units before each step, so that the text decides
 * the outcome and the machine's load does not. A unit is about a microsecond of compiling, indexing and first matching.
 */
export class WorkBudget {
  readonly max: number
  #spent = 0

  constructor(max: number) {
    this.max = max
  }

  get spent(): number {
    return this.#spent
  }

  /** Whether the work exceeds the budget; from then on no step is allowed. */
  get isExceeded(): boolean {
    return this.#spent > this.max
  }

  /** Spends units before a step; returns whether the step may run. */
  spend(units: number): boolean {
    if (!this.isExceeded) this.#spent += units
    return !this.isExceeded
  }
}

/**
 * The work units of compiling, as measured: for a character, for a separator of YAML, for a value or an alternative that
 * modifiers generate, for a comparison each time a condition refers to it, and for a regular expression and each of its
 * estimated instructions.
 */
export const workUnits = { character: 0.125, separator: 4, value: 30, comparison: 10, regex: 60, regexStep: 2 } as const

/** 1 at the code of each separator. A text of megabytes is counted where all requests are served, so this is a table. */
const separators = new Uint8Array(128)
for (const character of '\n,:-[{') separators[character.charCodeAt(0)] = 1

/** Estimates the work of reading a YAML text: each node needs a separator before it. */
export function estimateTextWork(text: string): number {
  let separatorCount = 0
  for (let i = 0; i < text.length; i++) separatorCount += separators[text.charCodeAt(i)] ?? 0
  return text.length * workUnits.character + separatorCount * workUnits.separator
}

/** Estimates the work of a value of a detection item, before its modifiers are applied. */
export function estimateValueWork(text: string, isRegex: boolean): number {
  const { value, character, regex, regexStep } = workUnits
  const valueWork = value + text.length * character
  return isRegex ? valueWork + regex + estimateProgramSize(text) * regexStep : valueWork
}

/** Estimates the work of indexing a compiled predicate and matching a first event. */
export function estimatePredicateWork(predicate: Predicate): number {
  switch (predicate.kind) {
    case 'constant':
      return 0
    case 'test':
      return predicate.value.kind === 'regex' ? estimateValueWork(predicate.value.source, true) : workUnits.value
    case 'not':
    case 'group':
    case 'elements':
      return estimatePredicateWork(predicate.of)
    case 'and':
    case 'or':
      return predicate.of.reduce((sum, part) => sum + estimatePredicateWork(part), 0)
  }
}
