import { jsonErrors } from '@tripline/common/command-line/print-error'
import { exitCodes } from '@tripline/common/exit-error'
import { defineCommand } from '../../framework/command.ts'
import { writeText } from '../../framework/write-text.ts'

/** Prints the schema of rules, which editors check and complete by. */
export const rulesSchemaCommand = defineCommand({
  name: 'rules schema',
  summary: 'Prints the JSON Schema of rules with their tests.',
  options: { json: jsonErrors },
  notes: [
    'For editors that check YAML by a schema; "# yaml-language-server: $schema=rule.schema.json" on the first line of a rule names it. '
      + 'It knows the form of a rule; tripline rules check decides whether a rule runs.',
  ],
  async run(_, { stdout }) {
    const { printRuleSchema } = await import('@tripline/contract/rule-file')
    await writeText(stdout, `${JSON.stringify(printRuleSchema(), null, 2)}\n`)
    return exitCodes.ok
  },
})
