import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { Engine } from '@tripline/engine'
import type { Match } from '@tripline/engine'
import { defineCommand } from '../../framework/command.ts'
import { readNumber } from '../../framework/parse-number.ts'
import { engineOptions, inputOptions, ruleOperands, ruleOptions } from '../../framework/shared-options.ts'
import { writeText } from '../../framework/write-text.ts'
import { openInputs } from '../../input/open-inputs.ts'
import { limits } from '../../limits.ts'
import { runEngine } from '../../matching/run-engine.ts'
import { hintUnrouted } from '../../output/detect-report.ts'
import { printHealthJson, printHealthText, summarizeHealth } from '../../output/health-report.ts'
import { loadRunnableRules } from '../../rules/load-rules.ts'
import { readTestFiles } from '../../rules/read-rules.ts'
import { runTests } from '../../rules/run-tests.ts'

/** Finds rules that never match events, and the condition that stops them. */
export const rulesHealthCommand = defineCommand({
  name: 'rules health',
  summary: 'Finds rules that never match your events, and what stops them.',
  operands: ruleOperands,
  options: {
    ...inputOptions,
    top: { kind: 'text', value: '<rules>', default: '50', help: 'How many rules to print; all are counted.' },
    json: {
      kind: 'flag',
      help: 'Prints one JSON object, with every rule: {"rules":[{"id","title","state","missing_fields","met_events",'
        + '"candidates","matches","failing_tests",...}],"totals"}.',
    },
    ...engineOptions,
    ...ruleOptions,
  },
  notes: [
    'States: never routed (no event has the log source of the rule); field never seen (a field that the rule needs is in '
      + 'no event of its log source: the collector omits it or names it differently); never candidate (no event has a '
      + 'literal that the rule requires); never matched (some have, but the condition was never true); matched. '
      + 'Correlations: never fed (no rule that they reference matched), only named (only other correlations use their '
      + 'matches). The tests of the rules run too, and failing tests are listed.',
    'Exit codes: 0 done; 2 wrong arguments; 65 no rule compiled, or no event; 66 a path cannot be read.',
  ],
  async run({ options, operands }, context) {
    const top = readNumber('--top', options.top, { min: 1, max: limits.ruleFilesMax, isWhole: true })
    const input = await openInputs(options, context)
    try {
      const loaded = loadRunnableRules({ ...options, paths: operands }, context)
      const { taxonomy, lenient } = options
      // A long lateness costs no latency here: results are printed at the end only.
      const engine = new Engine(loaded.ruleSet, { taxonomy, lenient, correlation: { allowedLatenessMs: limits.healthLatenessMs } })
      const correlated = new Map<string, number>()
      const count = (matches: readonly Match[]): void => {
        for (const { kind, rule: { id } } of matches) {
          if (kind === 'correlation') correlated.set(id, (correlated.get(id) ?? 0) + 1)
        }
      }
      await runEngine(engine, input, context, count)
      count(engine.finish())
      const { counts } = engine
      if (counts.events === 0) throw new ExitError(exitCodes.noData, `no event in '${input.name}'`)
      if (!lenient) hintUnrouted(counts, context)
      const sources = [...loaded.sources, ...readTestFiles(operands, context.cwd)]
      const { rows: tests } = runTests({ compilation: loaded, sources, regression: [], taxonomy }, context)
      const report = summarizeHealth({ ruleSet: loaded.ruleSet, counts, health: engine.ruleHealth(), correlated, tests })
      await writeText(context.stdout, options.json ? printHealthJson(report) : printHealthText(report, top))
      return exitCodes.ok
    } finally {
      input.close()
    }
  },
})
