import { suggestName } from './diagnostics.ts'

/** The names of all options of a type, so that the compiler finds one that a list lacks. */
export type OptionNames<Options> = { readonly [Name in keyof Required<Options>]: true }

/**
 * Refuses options that do not exist: a misspelt one would silently change nothing.
 *
 * @throws TypeError that names the option, and the known one that is nearest to it.
 */
export function checkOptions<Options extends object>(what: string, options: Options, known: OptionNames<Options>): void {
  if (typeof options !== 'object' || options === null) throw new TypeError(`the options of ${what} are not an object`)
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(known, name)) continue
    const names = Object.keys(known)
    throw new TypeError(`unknown option '${name}' of ${what}; ${suggestName(name, names) ?? `it takes ${names.join(', ')}`}`)
  }
}

/** @throws TypeError for what is no rule set, such as the whole result of `compileRules`. */
export function checkRuleSet(what: string, ruleSet: unknown): void {
  const isRuleSet = typeof ruleSet === 'object' && ruleSet !== null && 'rules' in ruleSet && 'correlations' in ruleSet
  if (isRuleSet) return
  throw new TypeError(`${what} takes a rule set: the ruleSet of what compileRules returns, or what loadRuleSet resolves with`)
}
