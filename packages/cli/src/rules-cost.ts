import { Engine } from '@tripline/engine'
import { CommandError, exitCodes } from './command-error.ts'
import { defineCommand } from './command.ts'
import { printCostJson, printCostTable, summarizeCosts } from './cost-report.ts'
import { hintUnrouted } from './detect-report.ts'
import { limits } from './limits.ts'
import { loadRunnableRules } from './load-rules.ts'
import { openInput } from './open-input.ts'
import { readNumber } from './parse-number.ts'
import { runEngine } from './run-engine.ts'
import { engineOptions, inputOptions, ruleOperands, ruleOptions } from './shared-options.ts'
import { writeText } from './write-text.ts'

/** Says which rules cost the most time on some events, and why. */
export const rulesCostCommand = defineCommand({
  name: 'rules cost',
  summary: 'Says which rules cost the most time on your events, and what to do about it.',
  operands: ruleOperands,
  options: {
    ...inputOptions,
    top: { kind: 'text', value: '<rules>', default: '20', help: 'How many rules are printed, the dearest first.' },
    json: {
      kind: 'flag',
      help: 'Prints one JSON object, with every rule: {"rules":[{"id","title","share","sampled_ns","requirement",'
        + '"advice",...}],"totals"}.',
    },
    ...engineOptions,
    ...ruleOptions,
  },
  notes: [
    'Of each rule: its share of the time that single rules take; nanoseconds for each event that it met by its '
      + 'logsource; those events; how often it was a candidate, because something was found that it requires; about '
      + 'how many events its matcher was asked; and on how many it holds. What is remembered of earlier events costs '
      + 'nothing and is not counted. Times are samples: of each rule the first calls are timed, then one of 16.',
    'What rules share is no rule\'s: reading events, looking for texts, remembering.',
    'Exit codes: 0 done; 2 wrong arguments; 65 no rule compiled, or no event; 66 a path cannot be read.',
  ],
  async run({ options, operands }, context) {
    const top = readNumber('--top', options.top, { min: 1, max: limits.ruleFilesMax, isWhole: true })
    // The input is opened before thousands of rules are compiled: a mistyped path is answered at once.
    const input = await openInput(options.input, context)
    try {
      const { ruleSet } = loadRunnableRules({ ...options, paths: operands }, context)
      const { taxonomy, lenient } = options
      const engine = new Engine(ruleSet, { taxonomy, lenient, now: () => context.now() * 1e6 })
      const pushed = await runEngine(engine, input, context)
      const run = { ...pushed, counts: engine.counts, costs: engine.ruleCosts() }
      if (run.counts.events === 0) throw new CommandError(exitCodes.noData, `no event in '${options.input}'`)
      if (!lenient) hintUnrouted(run.counts, context)
      const report = summarizeCosts(run)
      await writeText(context.stdout, options.json ? printCostJson(report) : printCostTable(report, top))
      return exitCodes.ok
    } finally {
      input.close()
    }
  },
})
