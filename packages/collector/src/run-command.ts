import { getErrorMessage } from '@tripline/common/error-message'
import { ExitError, exitCodes } from '@tripline/common/exit-error'
import type { Runtime } from '@tripline/common/runtime'
import { parseArgs } from 'node:util'
import type { CollectorCommand } from './commands/command.ts'
import { logsCommand, reloadCommand, statusCommand } from './commands/control-commands.ts'
import { enrollCommand } from './commands/enroll.ts'
import { runCommand } from './commands/run.ts'
import { testCommand } from './commands/test-source.ts'
import { defaultConfigPath } from './config/read-config.ts'
import { readCollectorVersion } from './version.ts'

const commands: { readonly [name: string]: CollectorCommand } = {
  run: runCommand, reload: reloadCommand, status: statusCommand, logs: logsCommand, test: testCommand, enroll: enrollCommand,
}

/** Runs a command line of `tripline-collector`; resolves with its exit code. */
export async function runCommandLine(args: readonly string[], io: Runtime): Promise<number> {
  const [name = '--help', ...rest] = args
  if (name === '--version') io.printLine(readCollectorVersion())
  else if (name === '--help' || rest.includes('--help')) for (const line of printHelp()) io.printLine(line)
  else return await runKnown(name, rest, io)
  return exitCodes.ok
}

async function runKnown(name: string, rest: readonly string[], io: Runtime): Promise<number> {
  try {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (command === undefined) throw new ExitError(exitCodes.usage, `unknown command '${name}'; tripline-collector --help lists them`)
    const { options, words } = parseLine(command, rest)
    if (words.length !== command.wordCount) {
      throw new ExitError(exitCodes.usage, `usage: tripline-collector ${name} ${command.usage}`.trim())
    }
    const { config, ...others } = options
    return await command.run({ config: typeof config === 'string' ? config : defaultConfigPath, options: others, words }, io)
  } catch (error) {
    if (!(error instanceof ExitError)) throw error
    io.logLine(`tripline-collector: ${error.message}`)
    return error.exitCode
  }
}

type ParsedLine = { readonly options: { readonly [name: string]: string | boolean | undefined }; readonly words: readonly string[] }

function parseLine(command: CollectorCommand, args: readonly string[]): ParsedLine {
  try {
    const { values, positionals } = parseArgs({
      args: [...args], allowPositionals: true, options: { ...command.options, config: { type: 'string', short: 'c' } },
    })
    return { options: values as ParsedLine['options'], words: positionals }
  } catch (error) {
    throw new ExitError(exitCodes.usage, getErrorMessage(error), { cause: error })
  }
}

function printHelp(): readonly string[] {
  return [
    `tripline-collector ${readCollectorVersion()}: collects events on this machine and sends them to a Tripline server.`,
    '',
    'Usage: tripline-collector COMMAND [-c FILE] ...',
    '',
    ...Object.entries(commands).flatMap(([name, { summary, usage }]) => [`  ${`${name} ${usage}`.trim()}`, `      ${summary}`]),
    '',
    `Options: -c, --config FILE  collector.yaml; default ${defaultConfigPath}. Its sources are in sources.d beside it.`,
    'Exit codes: 0 done, 1 refused, 2 wrong usage, 70 the disk failed, 78 the configuration is invalid.',
  ]
}
