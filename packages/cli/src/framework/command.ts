import { parseArguments } from '@tripline/common/command-line/parse-arguments'
import type { Arguments, Operands, OptionTable } from '@tripline/common/command-line/parse-arguments'
import { printHelp, requestsHelp } from '@tripline/common/command-line/print-help'
import { ExitError, exitCodes } from '@tripline/common/exit-error'
import type { Context } from './context.ts'
import { program } from './program.ts'
import { writeText } from './write-text.ts'
import { checkNodeVersion } from './check-node-version.ts'

/** One command of `tripline`, ready to run. */
export type Command = {
  /** One or two words: `rules check`. */
  readonly name: string
  /** What it does, in one line of the overview: 72 characters at most. */
  readonly summary: string
  /** Undefined where the command takes options only. */
  readonly operands: Operands | undefined
  readonly options: OptionTable
  /** Paragraphs that end the help: output and exit codes. */
  readonly notes: readonly string[]
  /** Runs with the arguments after the name and resolves to the exit code. */
  readonly run: (args: readonly string[], context: Context) => Promise<number>
}

/** The definition of a command: its arguments as data, from which both its parser and its help are made. */
type CommandDefinition<Options extends OptionTable> = {
  readonly name: string
  readonly summary: string
  /** Undefined where the command takes options only. */
  readonly operands?: Operands
  readonly options: Options
  /** Paragraphs that end the help: output and exit codes. */
  readonly notes: readonly string[]
  /** The exit code for arguments that cannot be used, where it is not 2. */
  readonly usageExitCode?: number
  /** Whether it loads the server, which needs a newer Node than the rest. */
  readonly needsServer?: boolean
  readonly run: (args: Arguments<Options>, context: Context) => Promise<number>
}

/** Makes a command of its definition, and handles `--help`. */
export function defineCommand<const Options extends OptionTable>(definition: CommandDefinition<Options>): Command {
  const run = async (args: readonly string[], context: Context): Promise<number> => {
    if (!requestsHelp(args)) {
      const given = readArguments(args, definition)
      if (definition.needsServer === true) checkNodeVersion(definition.name, context.nodeVersion)
      return await definition.run(given, context)
    }
    await writeText(context.stdout, printHelp(definition, program))
    return exitCodes.ok
  }
  const { name, summary, operands, options, notes } = definition
  return { name, summary, operands, options, notes, run }
}

function readArguments<const Options extends OptionTable>(
  args: readonly string[], definition: CommandDefinition<Options>,
): Arguments<Options> {
  try {
    return parseArguments(args, definition, program)
  } catch (error) {
    const { usageExitCode } = definition
    if (!(error instanceof ExitError) || usageExitCode === undefined) throw error
    throw new ExitError(usageExitCode, error.message, { cause: error })
  }
}
