import { exitCodes } from '@tripline/common/exit-error'
import type { HuntComparison, HuntResult } from '@tripline/server/events'
import { rangeOptions } from '../data-dir/read-range.ts'
import { readStoredRange, storeOptions, withStoredEvents } from '../data-dir/stored-events.ts'
import { defineCommand } from '../framework/command.ts'
import { ruleOperands, ruleOptions } from '../framework/shared-options.ts'
import { writeText } from '../framework/write-text.ts'
import { HuntProgressBar, createAbortSignal } from '../data-dir/hunt-progress.ts'
import { printHuntComparison, printHuntResult } from '../output/print-hunt.ts'
import { loadRunnableRules } from '../rules/load-rules.ts'

/** Runs rules over stored events. */
export const huntCommand = defineCommand({
  name: 'hunt',
  needsServer: true,
  summary: 'Runs rules over stored events.',
  operands: ruleOperands,
  options: {
    'compare': {
      kind: 'list', value: '<rules>...', help: 'Another version of the rules: shows which matches disappear and which are new.',
    },
    ...storeOptions,
    ...rangeOptions,
    'json': { kind: 'flag', help: 'Prints one JSON object.' },
    'strict-state': {
      kind: 'flag', help: 'Ends with 3 when correlations lost state to bound memory, so that matches may be missing.',
    },
    ...ruleOptions,
  },
  notes: [
    'Rules and correlations run with the same code as live detection. Windows close at the end of the range.',
    'With --json: {"matches","rules","buckets","entities","examples","events_read","took_ms","whole","degraded_rules"}, or with '
      + '--compare {"before","after","gone","added"}. Ctrl-C ends a hunt and prints the matches so far.',
    'Exit codes: 0 done, whether or not anything matched; 2 wrong arguments; 3 --strict-state found lost state; '
      + '65 no rule compiled; 66 a path cannot be read.',
  ],
  async run({ options, operands }, context) {
    const { compareHunts, runHunt } = await import('@tripline/server/events')
    const { tenant } = options
    const { ruleSet } = loadRunnableRules({ ...options, paths: operands }, context)
    const changed = options.compare.length === 0 ? undefined : loadRunnableRules({ ...options, paths: options.compare }, context).ruleSet
    let hasLostState = false
    await withStoredEvents({ directory: options['data-dir'], creates: false }, context, async (store) => {
      const range = await readStoredRange(store, options, context)
      const hunt = { tenant, ruleSet, ...range }
      const bar = new HuntProgressBar(hunt, context)
      const huntOptions = { store, elapsedMs: context.now, onProgress: bar.draw, signal: createAbortSignal(context) }
      const found = changed === undefined
        ? printResult(await runHunt(hunt, huntOptions), options.json)
        : printComparison(await compareHunts({ ...hunt, changed }, huntOptions), options.json)
      bar.clear()
      hasLostState = found.hasLostState
      await writeText(context.stdout, found.text)
    })
    return options['strict-state'] && hasLostState ? exitCodes.degraded : exitCodes.ok
  },
})

type PrintedHunt = { readonly text: string; readonly hasLostState: boolean }

function printResult(result: HuntResult, isJson: boolean): PrintedHunt {
  return { text: printHuntResult(result, isJson), hasLostState: result.degradedRules.length > 0 }
}

function printComparison(comparison: HuntComparison, isJson: boolean): PrintedHunt {
  const { before, after } = comparison
  return { text: printHuntComparison(comparison, isJson), hasLostState: before.degradedRules.length + after.degradedRules.length > 0 }
}
