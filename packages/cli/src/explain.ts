import { explain } from '@tripline/engine'
import { exitCodes } from './command-error.ts'
import { defineCommand } from './command.ts'
import { loadRunnableRules } from './load-rules.ts'
import { printExplanation, printExplanationLine } from './print-explanation.ts'
import { readAllEvents } from './read-all-events.ts'
import { engineOptions, ruleOptions } from './shared-options.ts'
import { writeText } from './write-text.ts'

/** Shows why a rule matches an event, or why it does not. */
export const explainCommand = defineCommand({
  name: 'explain',
  summary: 'Shows why a rule matches an event, or why it does not.',
  options: {
    rule: { kind: 'text', value: '<file>', required: true, help: 'A file of one rule or several.' },
    event: {
      kind: 'text',
      value: '<file|->',
      required: true,
      help: 'One event as a JSON object, or several as NDJSON; - is stdin.',
    },
    ...engineOptions,
    json: { kind: 'flag', help: 'Prints one JSON object per event and rule.' },
    ...ruleOptions,
  },
  notes: [
    'With --json a line is {"line","rule_id","title","matched","logsource_matched","matched_conditions","explain"}.',
    'Exit codes: 0 explained, whether the rule matches or not; 2 wrong arguments; 65 no rule compiled, or no event; '
      + '66 a path cannot be read.',
  ],
  async run({ options }, context) {
    const { taxonomy, lenient } = options
    const { ruleSet } = loadRunnableRules({ ...options, paths: [options.rule] }, context)
    const print = options.json ? printExplanationLine : printExplanation
    for (const { line, event } of await readAllEvents(options.event, context)) {
      for (const rule of ruleSet.rules) {
        await writeText(context.stdout, print({ line, rule, explanation: explain(rule, event, { taxonomy, lenient }) }))
      }
    }
    return exitCodes.ok
  },
})
