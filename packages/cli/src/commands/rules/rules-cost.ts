import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { Engine } from '@tripline/engine'
import { defineCommand } from '../../framework/command.ts'
import { readNumber } from '../../framework/parse-number.ts'
import { engineOptions, inputOptions, ruleOperands, ruleOptions } from '../../framework/shared-options.ts'
import { writeText } from '../../framework/write-text.ts'
import { openInputs } from '../../input/open-inputs.ts'
import { limits } from '../../limits.ts'
import { runEngine } from '../../matching/run-engine.ts'
import { printCostJson, printCostTable, summarizeCosts } from '../../output/cost-report.ts'
import { hintUnrouted } from '../../output/detect-report.ts'
import { loadRunnableRules } from '../../rules/load-rules.ts'

/** Profiles rules on events, and explains why the slowest are slow. */
export const rulesCostCommand = defineCommand({
  name: 'rules cost',
  summary: 'Profiles rules on your events, slowest first.',
  operands: ruleOperands,
  options: {
    ...inputOptions,
    top: { kind: 'text', value: '<rules>', default: '20', help: 'How many rules to print.' },
    json: {
      kind: 'flag',
      help: 'Prints one JSON object, with every rule: {"rules":[{"id","title","share","sampled_ns","requirement",'
        + '"advice",...}],"totals"}.',
    },
    ...engineOptions,
    ...ruleOptions,
  },
  notes: [
    'Columns: the share of the time spent in single rules; nanoseconds per event of the rule\'s log source; the number '
      + 'of those events; how often the rule was a candidate, because an event has a literal that it requires; how many '
      + 'events its matcher evaluated; how many matched. Cached results of earlier events take no time and are not '
      + 'counted. Times are sampled: the first calls of each rule, then one of 16.',
    'Work that rules share is not attributed to any rule: reading events, searching literals, caching.',
    'Exit codes: 0 done; 2 wrong arguments; 65 no rule compiled, or no event; 66 a path cannot be read.',
  ],
  async run({ options, operands }, context) {
    const top = readNumber('--top', options.top, { min: 1, max: limits.ruleFilesMax, isWhole: true })
    // Opens the input before compiling thousands of rules, so that a mistyped path fails at once.
    const input = await openInputs(options, context)
    try {
      const { ruleSet } = loadRunnableRules({ ...options, paths: operands }, context)
      const { taxonomy, lenient } = options
      const engine = new Engine(ruleSet, { taxonomy, lenient, now: () => context.now() * 1e6 })
      const pushed = await runEngine(engine, input, context)
      const run = { ...pushed, counts: engine.counts, costs: engine.ruleCosts() }
      if (run.counts.events === 0) throw new ExitError(exitCodes.noData, `no event in '${input.name}'`)
      if (!lenient) hintUnrouted(run.counts, context)
      const report = summarizeCosts(run)
      await writeText(context.stdout, options.json ? printCostJson(report) : printCostTable(report, top))
      return exitCodes.ok
    } finally {
      input.close()
    }
  },
})
