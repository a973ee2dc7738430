import type { Arguments, Operands, OptionTable } from '@tripline/common/command-line/parse-arguments'
import { exitCodes } from '@tripline/common/exit-error'
import type { AdminDataDir } from '@tripline/server/admin'
import { dataDirOptions, withDataDir } from '../../data-dir/with-data-dir.ts'
import { usageError } from '../../framework/command-error.ts'
import { defineCommand } from '../../framework/command.ts'
import type { Command } from '../../framework/command.ts'
import { escapeControl } from '../../framework/escape-control.ts'
import { writeText } from '../../framework/write-text.ts'

/** The tenant that a command works on; a new server has one of the default name. */
export const tenantOption = {
  tenant: { kind: 'text', value: '<id>', default: 'default', help: 'The tenant.' },
} as const

const commonOptions = {
  ...dataDirOptions,
  json: { kind: 'flag', help: 'Prints one JSON object in the shape of the API.' },
} as const

/** The definition of an administration command, without its common options. */
type AdminCommandDefinition<Options extends OptionTable, Done extends object> = {
  /** After `admin `. */
  readonly name: string
  readonly summary: string
  /** The one operand, such as `<id>`. */
  readonly operand?: Operands
  readonly options: Options
  /** Whether it creates a data directory that does not exist. */
  readonly creates?: boolean
  /** Whether it only reads. */
  readonly reads?: boolean
  readonly notes?: readonly string[]
  /** Runs the command and returns what `--json` prints. */
  readonly run: (installation: AdminDataDir, args: AdminArguments<Options>) => Promise<Done>
  /** The lines to print without `--json`. */
  readonly lines: (done: Done) => readonly string[]
}

type AdminArguments<Options extends OptionTable> = Pick<Arguments<Options>, 'options'> & { readonly operand: string }

const exitCodesNote = 'Exit codes: 0 done; 1 refused, because the object exists already or does not exist; 2 wrong arguments; '
  + '66 the data directory cannot be used.'

/** Makes a command of its definition: opens the data directory, runs it and prints the result. */
export function defineAdminCommand<const Options extends OptionTable, Done extends object>(
  definition: AdminCommandDefinition<Options, Done>,
): Command {
  const { operand, notes = [], creates = false } = definition
  const options = { ...commonOptions, ...definition.options }
  return defineCommand({
    name: `admin ${definition.name}`,
    needsServer: true,
    summary: definition.summary,
    ...(operand === undefined ? {} : { operands: operand }),
    options,
    notes: [...notes, exitCodesNote],
    async run({ options, operands }, context) {
      const [first = '', second] = operands
      if (second !== undefined) throw usageError(`unexpected argument '${second}' for 'tripline admin ${definition.name}'`)
      const use = { directory: options['data-dir'], creates, use: definition.reads === true ? 'read' : 'change' } as const
      const run = (installation: AdminDataDir) => definition.run(installation, { options, operand: first })
      const done = await withDataDir(use, context, run)
      await writeText(context.stdout, options.json ? `${JSON.stringify(done)}\n` : printLines(definition.lines(done)))
      return exitCodes.ok
    },
  })
}

/** Escapes control characters: names of users and tenants come from outside. */
function printLines(lines: readonly string[]): string {
  return lines.map((line) => `${escapeControl(line)}\n`).join('')
}
