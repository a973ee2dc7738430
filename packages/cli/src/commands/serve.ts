import type { ServeArguments, SettingTexts } from '@tripline/server'
import { settingNames, settings, printDefault, toFileKey } from '@tripline/server/settings'
import type { SettingName } from '@tripline/server/settings'
import { runDemo } from '../demo/run-demo.ts'
import { defineCommand } from '../framework/command.ts'
import type { Arguments, Option, OptionTable } from '../framework/parse-arguments.ts'
import { ruleOperands } from '../framework/shared-options.ts'

const optionNames = settingNames.filter((name) => settings[name].isOperand !== true)

const options: OptionTable = {
  config: { kind: 'text', value: '<file>', help: 'A JSON object of settings: {"data_dir": "data", "rules": ["rules"]}.' },
  ...Object.fromEntries(optionNames.map((name) => [toOptionName(name), toOption(name)])),
  demo: { kind: 'flag', help: 'Loads example rules and events, and prints what to try. Stores nothing without --data-dir.' },
}

/** Starts the server; its options are the server's table of settings. */
export const serveCommand = defineCommand({
  name: 'serve',
  needsServer: true,
  summary: 'Starts the server; --demo adds example rules and events.',
  operands: { ...ruleOperands, usage: '[<rules>...]' },
  options,
  notes: [
    'Prints {"event":"ready","port":...,"pid":...} on stdout when it listens. The log goes to stderr as JSON lines.',
    'Each setting can also be a variable (TRIPLINE_DATA_DIR, TRIPLINE_RULES) or a key of the configuration file '
      + '(data_dir, rules). An option overrides the variable, and the variable overrides the file.',
    'Exit codes: 0 stopped by SIGTERM or SIGINT; 70 the data directory cannot be used; 78 wrong arguments or settings.',
  ],
  usageExitCode: 78,
  async run(args, context) {
    const serveArguments = toServeArguments(args)
    if (args.options['demo'] === true) return await runDemo(serveArguments, context)
    // Loaded only here: the other commands start faster without the server.
    const { runServe } = await import('@tripline/server/serve')
    return await runServe(serveArguments)
  },
})

function toOptionName(name: SettingName): string {
  return toFileKey(name).replaceAll('_', '-')
}

/** The option of a setting. Its default is in the help only: an option that is absent leaves the setting to variables and file. */
function toOption(name: SettingName): Option {
  const { argument, bound, description, default: value } = settings[name]
  const range = bound === undefined ? '' : ` ${bound[0]?.toUpperCase()}${bound.slice(1)}.`
  const text = printDefault(name)
  const help = `${description}${range}${text === '' ? '' : ` Default: ${text}.`}`
  return { kind: Array.isArray(value) ? 'repeated' : 'text', value: `<${argument}>`, help }
}

function toServeArguments({ options, operands }: Arguments<OptionTable>): ServeArguments {
  const texts: SettingTexts = operands.length === 0 ? {} : { rules: operands }
  for (const name of optionNames) {
    const values = toTexts(options[toOptionName(name)])
    if (values.length > 0) texts[name] = values
  }
  return { configFile: toTexts(options['config'])[0], settings: texts }
}

function toTexts(value: Arguments<OptionTable>['options'][string]): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' ? value : []
}
