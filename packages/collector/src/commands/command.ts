import { parseArguments } from '@tripline/common/command-line/parse-arguments'
import type { Arguments, Operands, OptionTable, Program } from '@tripline/common/command-line/parse-arguments'
import { printHelp, requestsHelp } from '@tripline/common/command-line/print-help'
import type { DescribedCommand } from '@tripline/common/command-line/print-help'
import { exitCodes } from '@tripline/common/exit-error'
import type { Runtime } from '@tripline/common/runtime'
import { suggestName } from '@tripline/engine'
import { defaultConfigPath } from '../config/read-config.ts'

/** The collector as its help, messages, completion scripts and manual pages name it. */
export const collectorProgram: Program = {
  name: 'tripline-collector', summary: 'Collects events on this machine and sends them to a Tripline server.', suggest: suggestName,
}

/** A command of `tripline-collector`; `run` takes the arguments after its name and resolves with the exit code. */
export type CollectorCommand = DescribedCommand & { readonly run: (args: readonly string[], io: Runtime) => Promise<number> }

/** The option of every command that reads the configuration. */
export const configOption = {
  config: {
    kind: 'text', short: 'c', value: '<file>', default: defaultConfigPath, help: 'collector.yaml; its sources are in sources.d beside it.',
  },
} as const satisfies OptionTable

/** Makes a command of its definition, and handles `--help`. */
export function defineCollectorCommand<const Options extends OptionTable>(definition: {
  readonly name: string
  /** One line of the overview. */
  readonly summary: string
  /** Undefined where the command takes options only. */
  readonly operands?: Operands
  readonly options: Options
  /** Paragraphs that end the help: output and exit codes. */
  readonly notes: readonly string[]
  readonly run: (args: Arguments<Options>, io: Runtime) => Promise<number>
}): CollectorCommand {
  const { name, summary, operands, options, notes } = definition
  const run = async (args: readonly string[], io: Runtime): Promise<number> => {
    if (!requestsHelp(args)) return await definition.run(parseArguments(args, definition, collectorProgram), io)
    io.printLine(printHelp(definition, collectorProgram).trimEnd())
    return exitCodes.ok
  }
  return { name, summary, operands, options, notes, run }
}
