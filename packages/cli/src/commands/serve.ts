import type { Arguments, Option, OptionTable } from '@tripline/common/command-line/parse-arguments'
import type { ServeArguments, SettingTexts } from '@tripline/server'
import { settingNames, settings, printDefault, toFileKey } from '@tripline/server/settings'
import type { SettingName } from '@tripline/server/settings'
import { exitCodes } from '@tripline/common/exit-error'
import { createStderrWriter } from '@tripline/common/stderr-writer'
import { processRuntime } from '@tripline/common/runtime'
import { runDemo } from '../demo/run-demo.ts'
import { defineCommand } from '../framework/command.ts'
import type { Context } from '../framework/context.ts'
import { ruleOperands } from '../framework/shared-options.ts'
import { writeText } from '../framework/write-text.ts'
import { printLogLine } from '../output/print-log-line.ts'
import { printServeCheck, printServeCheckJson } from '../output/print-serve-check.ts'

const optionNames = settingNames.filter((name) => settings[name].isOperand !== true)

const options: OptionTable = {
  config: { kind: 'text', value: '<file>', help: 'Settings as YAML, or as JSON with comments: data_dir: data.' },
  ...Object.fromEntries(optionNames.map((name) => [toOptionName(name), toOption(name)])),
  check: { kind: 'flag', help: 'Checks the settings and what they name, prints where each comes from, and ends.' },
  json: { kind: 'flag', help: 'Prints the log, and what --check finds, as JSON on a terminal too.' },
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
    'Prints {"event":"ready","port":...,"pid":...} on stdout when it listens. The log goes to stderr: as JSON lines, or as '
      + 'text where stderr is a terminal.',
    'Each setting can also be a variable (TRIPLINE_DATA_DIR, TRIPLINE_RULES) or a key of the configuration file '
      + '(data_dir, rules). An option overrides the variable, and the variable overrides the file.',
    'Exit codes: 0 stopped by SIGTERM or SIGINT; 70 the data directory cannot be used; 78 wrong arguments or settings.',
  ],
  usageExitCode: 78,
  async run(args, context) {
    const serveArguments = toServeArguments(args)
    const isJson = args.options['json'] === true
    if (args.options['check'] === true) return await printCheck(serveArguments, isJson, context)
    if (args.options['demo'] === true) return await runDemo(serveArguments, context)
    // Loaded only here: the other commands start faster without the server. Nothing else of it may be, because `runServe` loads
    // the rest when its code cache is open.
    const { runServe } = await import('@tripline/server/serve')
    const runtime = processRuntime()
    const isForPeople = context.isTty && !isJson
    const log = isForPeople ? { logLine: (line: string) => runtime.logLine(printLogLine(line)) } : { writeLog: createStderrWriter() }
    return await runServe(serveArguments, { ...runtime, ...log })
  },
})

/** Checks without starting; the exit code of a refusal is that of `serve`. */
async function printCheck(args: ServeArguments, isJson: boolean, { stdout, environment }: Context): Promise<number> {
  const { checkServe, processRuntime } = await import('@tripline/server')
  const check = await checkServe(args, { ...processRuntime(), environment })
  await writeText(stdout, isJson ? printServeCheckJson(check) : printServeCheck(check))
  return exitCodes.ok
}

function toOptionName(name: SettingName): string {
  return toFileKey(name).replaceAll('_', '-')
}

/** The option of a setting. Its default is in the help only: an option that is absent leaves the setting to variables and file. */
function toOption(name: SettingName): Option {
  const { argument, bound, description, default: value } = settings[name]
  const range = bound === undefined ? '' : ` ${bound[0]?.toUpperCase()}${bound.slice(1)}.`
  const text = printDefault(name)
  const help = `${description}${range}${text === '' ? '' : ` Default: ${text}.`}`
  if (typeof value === 'boolean') return { kind: 'switch', value: '[true|false]', help }
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
