import { printError } from '@tripline/common/command-line/print-error'
import { printOverview } from '@tripline/common/command-line/print-help'
import { ExitError, exitCodes, usageError } from '@tripline/common/exit-error'
import type { Runtime } from '@tripline/common/runtime'
import { commands } from './command-table.ts'
import { collectorProgram } from './commands/command.ts'
import { readCollectorVersion } from './version.ts'

/** Runs a command line of `tripline-collector`; resolves with its exit code. */
export async function runCommandLine(args: readonly string[], io: Runtime): Promise<number> {
  try {
    return await dispatch(args, io)
  } catch (error) {
    if (!(error instanceof ExitError)) throw error
    io.logLine(printError(error, collectorProgram, args))
    return error.exitCode
  }
}

async function dispatch([name = '--help', ...rest]: readonly string[], io: Runtime): Promise<number> {
  const command = commands.find((one) => one.name === name)
  if (command !== undefined) return await command.run(rest, io)
  if (name === 'help' && rest.length > 0) return await dispatch([...rest, '--help'], io)
  if (name === '--version' || name === '-v') io.printLine(readCollectorVersion())
  else if (['--help', '-h', 'help'].includes(name)) {
    io.printLine(printOverview(collectorProgram, readCollectorVersion(), commands).trimEnd())
  } else {
    const names = commands.map((one) => one.name)
    throw usageError(`unknown command '${name}'; ${collectorProgram.suggest(name, names) ?? `commands: ${names.join(', ')}`}`)
  }
  return exitCodes.ok
}
