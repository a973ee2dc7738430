import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { draftFromEvents } from '@tripline/rule-tools'
import { defineCommand } from '../../framework/command.ts'
import { escapeControlInLines } from '../../framework/escape-control.ts'
import { inputOptions } from '../../framework/shared-options.ts'
import { writeText } from '../../framework/write-text.ts'
import { readAllEvents } from '../../input/read-all-events.ts'

/** Drafts a rule from events. */
export const rulesDraftCommand = defineCommand({
  name: 'rules draft',
  summary: 'Drafts a rule that matches some events and none of others.',
  options: {
    ...inputOptions,
    without: {
      kind: 'repeated', value: '<path>', help: 'Events that the rule must not match, in the same forms as --input. May be repeated.',
    },
    title: { kind: 'text', value: '<text>', default: 'Drafted rule', help: 'The title of the rule.' },
    json: { kind: 'flag', help: 'Prints one JSON object: {"rule"}, with the YAML as a text.' },
  },
  notes: [
    'Prints a rule of what all events of --input have in common: equal values, and paths that end in the same name. Times, ids and '
      + 'the like are left out. The engine verifies that it matches all of them, and none of --without.',
    'Exit codes: 0 drafted; 1 the events have nothing in common that tells them from the others; 2 wrong arguments; 65 an input holds '
      + 'no event; 66 an input cannot be read.',
  ],
  async run({ options }, context) {
    const read = async (input: readonly string[]) => (await readAllEvents({ ...options, input }, context)).map(({ event }) => event)
    const events = await read(options.input)
    const others = options.without.length === 0 ? [] : await read(options.without)
    const drafted = draftFromEvents({ title: options.title, events, others })
    if ('problem' in drafted) throw new ExitError(exitCodes.found, drafted.problem)
    await writeText(context.stdout, options.json ? `${JSON.stringify({ rule: drafted.yaml })}\n` : escapeControlInLines(drafted.yaml))
    return exitCodes.ok
  },
})
