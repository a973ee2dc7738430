import { Engine } from '@tripline/engine'
import type { Match } from '@tripline/engine'
import { CommandError, exitCodes } from './command-error.ts'
import { defineCommand } from './command.ts'
import { hintUnrouted } from './detect-report.ts'
import { printHealthJson, printHealthText, summarizeHealth } from './health-report.ts'
import { limits } from './limits.ts'
import { loadRunnableRules } from './load-rules.ts'
import { openInput } from './open-input.ts'
import { readNumber } from './parse-number.ts'
import { readTestFiles } from './read-rules.ts'
import { runEngine } from './run-engine.ts'
import { runTests } from './run-tests.ts'
import { engineOptions, inputOptions, ruleOperands, ruleOptions } from './shared-options.ts'
import { writeText } from './write-text.ts'

/** Says which rules cannot work on some events, and why. */
export const rulesHealthCommand = defineCommand({
  name: 'rules health',
  summary: 'Says which rules never match on your events, and how far events come with them.',
  operands: ruleOperands,
  options: {
    ...inputOptions,
    top: { kind: 'text', value: '<rules>', default: '50', help: 'How many rules are named; all are counted.' },
    json: {
      kind: 'flag',
      help: 'Prints one JSON object, with every rule: {"rules":[{"id","title","state","missing_fields","met_events",'
        + '"candidates","matches","failing_tests",...}],"totals"}.',
    },
    ...engineOptions,
    ...ruleOptions,
  },
  notes: [
    'States: never routed (no event has its logsource); field never seen (a field without which it cannot match is in no '
      + 'event that met a rule which reads it: a collector that does not send it, or another name); never candidate '
      + '(nothing that it looks for was found); never matched (something was, but it never held); matched. Of '
      + 'correlations: never fed (no rule that they name has matched), only named (their matches are for other ones). '
      + 'Tests beside rules are run as well, and those that fail are named.',
    'Exit codes: 0 done; 2 wrong arguments; 65 no rule compiled, or no event; 66 a path cannot be read.',
  ],
  async run({ options, operands }, context) {
    const top = readNumber('--top', options.top, { min: 1, max: limits.ruleFilesMax, isWhole: true })
    const input = await openInput(options.input, context)
    try {
      const loaded = loadRunnableRules({ ...options, paths: operands }, context)
      const { taxonomy, lenient } = options
      // What comes late by less is correlated all the same: nobody waits for an answer before the end.
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
      if (counts.events === 0) throw new CommandError(exitCodes.noData, `no event in '${options.input}'`)
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
