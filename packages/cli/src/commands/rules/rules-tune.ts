import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { tuneRule } from '@tripline/rule-tools'
import { defineCommand } from '../../framework/command.ts'
import { escapeControlInLines } from '../../framework/escape-control.ts'
import { inputOptions } from '../../framework/shared-options.ts'
import { writeText } from '../../framework/write-text.ts'
import { readAllEvents } from '../../input/read-all-events.ts'
import { readRules } from '../../rules/read-rules.ts'

/** Makes a filter for a rule from false positives. */
export const rulesTuneCommand = defineCommand({
  name: 'rules tune',
  summary: 'Makes a filter that excludes false positives and keeps true ones.',
  operands: { usage: '<rule>', help: 'The file of one detection rule.' },
  options: {
    ...inputOptions,
    input: { kind: 'repeated', value: '<path|->', help: 'The false positives: events that the rule should not match. Default: -.' },
    'true-positives': {
      kind: 'repeated', value: '<path>', help: 'True positives: events that the rule must go on matching. May be repeated.',
    },
    json: { kind: 'flag', help: 'Prints one JSON object: {"filter"}, with the YAML as a text.' },
  },
  notes: [
    'Prints a Sigma filter of what the false positives have in common and no true positive has; save it beside the rule. The engine '
      + 'verifies that rule and filter match no false positive and every true positive that the rule matched.',
    'Exit codes: 0 made; 1 no filter does that; 2 wrong arguments; 65 there is no rule or no event; 66 a path cannot be read.',
  ],
  async run({ options, operands }, context) {
    const [rule, second] = readRules(operands, context.cwd)
    if (rule === undefined || second !== undefined) throw new ExitError(exitCodes.noData, 'tuning takes the file of one rule')
    const read = async (input: readonly string[]) => (await readAllEvents({ ...options, input }, context)).map(({ event }) => event)
    const falsePositives = await read(options.input)
    const truePositives = options['true-positives'].length === 0 ? [] : await read(options['true-positives'])
    const tuned = tuneRule({ rule, falsePositives, truePositives })
    if ('problem' in tuned) throw new ExitError(exitCodes.found, tuned.problem)
    await writeText(context.stdout, options.json ? `${JSON.stringify({ filter: tuned.yaml })}\n` : escapeControlInLines(tuned.yaml))
    return exitCodes.ok
  },
})
