import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { compileRules, parseJson } from '@tripline/engine'
import type { Compilation, CompileOptions, RuleReport, RuleSource, Verdict } from '@tripline/engine'
import { usageError } from '../framework/command-error.ts'
import type { Context } from '../framework/context.ts'
import { readOptionFile } from '../input/read-text-file.ts'
import { readPipelines } from './read-pipelines.ts'
import { readRules } from './read-rules.ts'

/** Where rules are and how to read them, from the options of a command. */
type LoadOptions = {
  /** Rule files and directories. */
  readonly paths: readonly string[]
  /** A JSON file with the values of placeholders. */
  readonly placeholders: string | undefined
  readonly 'array-syntax': boolean
  /** Files of processing pipelines. */
  readonly pipeline: readonly string[]
  readonly strict?: boolean
}

/** Rule texts, and how they are compiled. */
type RuleSources = { readonly sources: readonly RuleSource[]; readonly compile: CompileOptions }

export type LoadedRules = Compilation & {
  readonly sources: readonly RuleSource[]
  readonly verdicts: LoadVerdictCounts
}

/** How many rules came to each verdict, in the order in which verdicts are printed. */
export type LoadVerdictCounts = { readonly [V in Verdict]: number }

/**
 * Reads rules without compiling them.
 *
 * @throws ExitError (66) when a path cannot be read.
 */
export function readRuleSources(options: LoadOptions, context: Context): RuleSources {
  const compile = readCompileOptions(options, context)
  return { sources: readRules(options.paths, context.cwd), compile }
}

/**
 * Reads how rules are compiled.
 *
 * @throws ExitError (66) when a file of placeholders or a pipeline cannot be read, (2) or (65) when it is none.
 */
export function readCompileOptions(options: Omit<LoadOptions, 'paths'>, { cwd }: Context): CompileOptions {
  const { strict = false } = options
  const placeholders = options.placeholders === undefined ? {} : readPlaceholders(options.placeholders, cwd)
  const transform = readPipelines(options.pipeline, cwd)
  return { placeholders, strict, arraySyntax: options['array-syntax'], ...(transform !== undefined && { transform }) }
}

/**
 * Reads and compiles rules.
 *
 * @throws ExitError (66) when a path cannot be read, (65) when the paths hold no rule at all.
 */
export function loadRules(options: LoadOptions, context: Context): LoadedRules {
  const { sources, compile } = readRuleSources(options, context)
  const compilation = compileRules(sources, compile)
  return { ...compilation, sources, verdicts: reportVerdicts(compilation.reports, options) }
}

/**
 * Reads and compiles rules to run, and reports on stderr how many cannot.
 *
 * @throws ExitError (65) when no rule compiles.
 */
export function loadRunnableRules(options: LoadOptions, context: Context): LoadedRules {
  const { sources, compile } = readRuleSources(options, context)
  const compilation = compileRules(sources, compile)
  return { ...compilation, sources, verdicts: countRunnableRules(compilation.reports, options, context) }
}

/**
 * Counts the verdicts of rules to run, and reports on stderr how many cannot.
 *
 * @throws ExitError (65) when the paths hold no rule at all, or none that compiles.
 */
export function countRunnableRules(
  reports: readonly RuleReport[], options: LoadOptions, context: Context,
): LoadVerdictCounts {
  const verdicts = reportVerdicts(reports, options)
  const printed = printVerdicts(verdicts)
  if (verdicts.compiled === 0) {
    throw new ExitError(exitCodes.noData, `no rule compiled (${printed}); see 'tripline rules check'`)
  }
  if (verdicts.compiled < reports.length) {
    context.stderr.write(`tripline: ${printed}; 'tripline rules check' shows why some cannot run\n`)
  }
  return verdicts
}

function reportVerdicts(reports: readonly RuleReport[], { paths }: LoadOptions): LoadVerdictCounts {
  if (reports.length > 0) return countVerdicts(reports)
  const places = paths.map((path) => `'${path}'`).join(', ')
  throw new ExitError(exitCodes.noData, `no rules (*.yml, *.yaml) in ${places}`)
}

function countVerdicts(reports: readonly RuleReport[]): LoadVerdictCounts {
  const counts = { compiled: 0, needs_configuration: 0, unsupported: 0, invalid: 0 }
  for (const { verdict } of reports) counts[verdict]++
  return counts
}

/** Prints the number of rules by verdict: `3 rules: 2 compiled, 1 invalid`. */
export function printVerdicts(verdicts: LoadVerdictCounts): string {
  const entries = Object.entries(verdicts)
  const total = entries.reduce((sum, [, count]) => sum + count, 0)
  const parts = entries.filter(([, count]) => count > 0).map(([verdict, count]) => `${count} ${verdict}`)
  return `${total} ${total === 1 ? 'rule' : 'rules'}: ${parts.join(', ')}`
}

type Placeholders = NonNullable<CompileOptions['placeholders']>

/**
 * Reads the values of placeholders: a JSON object of lists, `{"admins": ["alice", "bob"]}` for `%admins%`.
 *
 * @throws ExitError (66) when the file cannot be read, (2) when it holds something else.
 */
function readPlaceholders(path: string, cwd: string): Placeholders {
  const value = parseFile(path, readOptionFile(path, { cwd, option: '--placeholders' }))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw usageError(`--placeholders '${path}' holds no JSON object of names and lists`)
  }
  for (const [name, values] of Object.entries(value)) {
    if (!Array.isArray(values) || !values.every(isPlaceholderValue)) {
      throw usageError(`--placeholders '${path}': the value of '${name}' is no list of texts and numbers`)
    }
  }
  return value as Placeholders
}

function parseFile(path: string, text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw usageError(`--placeholders '${path}' is no JSON: ${error.message}`)
  }
}

function isPlaceholderValue(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}
