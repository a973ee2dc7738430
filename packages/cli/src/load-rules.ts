import { compileRules } from '@tripline/engine'
import type { Compilation, RuleReport, RuleSource, Verdict } from '@tripline/engine'
import { CommandError, exitCodes } from './command-error.ts'
import type { Context } from './context.ts'
import { readPlaceholders } from './read-placeholders.ts'
import { readRules } from './read-rules.ts'

/** Where rules are and how they are read, as the options of commands say it. */
export type LoadOptions = {
  /** Rule files and directories. */
  readonly paths: readonly string[]
  /** A JSON file with the values of placeholders. */
  readonly placeholders: string | undefined
  readonly 'array-syntax': boolean
  readonly strict?: boolean
}

export type LoadedRules = Compilation & {
  readonly sources: readonly RuleSource[]
  readonly verdicts: VerdictCounts
}

/** How many rules came to each verdict, in the order in which verdicts are printed. */
export type VerdictCounts = { readonly [V in Verdict]: number }

/**
 * Reads and compiles rules.
 *
 * @throws CommandError (66) when a path cannot be read, (65) when the paths hold no rule at all.
 */
export function loadRules(options: LoadOptions, context: Context): LoadedRules {
  const { paths, strict = false } = options
  const placeholders = options.placeholders === undefined ? {} : readPlaceholders(options.placeholders, context.cwd)
  const sources = readRules(paths, context.cwd)
  const compilation = compileRules(sources, { placeholders, strict, arraySyntax: options['array-syntax'] })
  if (compilation.reports.length === 0) {
    const places = paths.map((path) => `'${path}'`).join(', ')
    throw new CommandError(exitCodes.noData, `no rules (*.yml, *.yaml) in ${places}`)
  }
  return { ...compilation, sources, verdicts: countVerdicts(compilation.reports) }
}

/**
 * The same for rules that are to run: says on stderr how many of them do not.
 *
 * @throws CommandError (65) when no rule compiles.
 */
export function loadRunnableRules(options: LoadOptions, context: Context): LoadedRules {
  const loaded = loadRules(options, context)
  const { compiled } = loaded.verdicts
  const verdicts = printVerdicts(loaded.verdicts)
  if (compiled === 0) {
    throw new CommandError(exitCodes.noData, `no rule compiled (${verdicts}); see 'tripline rules check'`)
  }
  if (compiled < loaded.reports.length) {
    context.stderr.write(`tripline: ${verdicts}; 'tripline rules check' says why not all of them run\n`)
  }
  return loaded
}

function countVerdicts(reports: readonly RuleReport[]): VerdictCounts {
  const counts = { compiled: 0, needs_configuration: 0, unsupported: 0, invalid: 0 }
  for (const { verdict } of reports) counts[verdict]++
  return counts
}

/** Says how many rules there are by verdict: `3 rules: 2 compiled, 1 invalid`. */
export function printVerdicts(verdicts: VerdictCounts): string {
  const entries = Object.entries(verdicts)
  const total = entries.reduce((sum, [, count]) => sum + count, 0)
  const parts = entries.filter(([, count]) => count > 0).map(([verdict, count]) => `${count} ${verdict}`)
  return `${total} ${total === 1 ? 'rule' : 'rules'}: ${parts.join(', ')}`
}
