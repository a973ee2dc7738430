import { Engine } from '@tripline/engine'
import { CommandError, exitCodes } from './command-error.ts'
import { defineCommand } from './command.ts'
import type { Context } from './context.ts'
import { printCostJson, printCostTable, summarizeCosts } from './cost-report.ts'
import type { CostRun } from './cost-report.ts'
import { hintUnrouted } from './detect-report.ts'
import { limits } from './limits.ts'
import { loadRunnableRules } from './load-rules.ts'
import { reportLeftOut } from './malformed-lines.ts'
import { readNumber } from './number-option.ts'
import { openInput } from './open-input.ts'
import type { Input } from './open-input.ts'
import { Progress } from './progress.ts'
import { readPieces } from './read-pieces.ts'
import { engineOptions, inputOptions, ruleOptions } from './shared-options.ts'
import { writeText } from './write-text.ts'

/** Says which rules cost the most time on some events, and why. */
export const rulesCostCommand = defineCommand({
  name: 'rules cost',
  summary: 'Says which rules cost the most time on your events, and what to do about it.',
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
  async run({ options }, context) {
    const top = readNumber('--top', options.top, { min: 1, max: limits.ruleFilesMax, isWhole: true })
    // The input is opened before thousands of rules are compiled: a mistyped path is answered at once.
    const input = await openInput(options.input, context)
    try {
      const { ruleSet } = loadRunnableRules({ ...options, paths: options.rules }, context)
      const { taxonomy, lenient } = options
      const engine = new Engine(ruleSet, { taxonomy, lenient, now: () => context.now() * 1e6 })
      const run = await runAll(engine, input, context)
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

async function runAll(engine: Engine, input: Input, context: Context): Promise<CostRun> {
  const progress = new Progress(input, context)
  let malformed = 0
  let matchMs = 0
  for await (const { bytes, endsWithLongLine } of readPieces(input.chunks)) {
    const startedAt = context.now()
    malformed += engine.pushBytes(bytes).malformed.length + (endsWithLongLine ? 1 : 0)
    matchMs += context.now() - startedAt
    progress.draw(engine.counts.events)
  }
  progress.clear()
  reportLeftOut(malformed, context.stderr)
  return { counts: engine.counts, malformed, matchMs, costs: engine.ruleCosts() }
}
