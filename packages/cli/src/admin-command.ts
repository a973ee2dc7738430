import type { AdminDataDir } from '@tripline/server/admin'
import { exitCodes, usageError } from './command-error.ts'
import { defineCommand } from './command.ts'
import type { Command } from './command.ts'
import { escapeControl } from './escape-control.ts'
import type { Arguments, Operands, OptionTable } from './parse-arguments.ts'
import { dataDirOptions, withDataDir } from './with-data-dir.ts'
import { writeText } from './write-text.ts'

/** Says in which tenant; a server begins with one of this name. */
export const tenantOption = {
  tenant: { kind: 'text', value: '<id>', default: 'default', help: 'In which tenant.' },
} as const

const commonOptions = {
  ...dataDirOptions,
  json: { kind: 'flag', help: 'Prints one JSON object, of the shape that the API answers with.' },
} as const

/** A command that administers an installation, without its common options. */
export type AdminCommandDefinition<Options extends OptionTable, Done extends object> = {
  /** After `admin `. */
  readonly name: string
  readonly summary: string
  /** The one operand, such as `<id>`. */
  readonly operand?: Operands
  readonly options: Options
  /** Whether it makes a data directory where there is none. */
  readonly creates?: boolean
  /** Whether it only reads. */
  readonly reads?: boolean
  readonly notes?: readonly string[]
  /** Does it, and gives what `--json` prints. */
  readonly run: (installation: AdminDataDir, args: AdminArguments<Options>) => Promise<Done>
  /** The same for people, line by line. */
  readonly lines: (done: Done) => readonly string[]
}

export type AdminArguments<Options extends OptionTable> = Pick<Arguments<Options>, 'options'> & { readonly operand: string }

/** Makes a command of its definition: opens the data directory, does it, prints what was done. */
export function defineAdminCommand<const Options extends OptionTable, Done extends object>(
  definition: AdminCommandDefinition<Options, Done>,
): Command {
  const { operand, notes = [], creates = false } = definition
  const options = { ...commonOptions, ...definition.options }
  return defineCommand({
    name: `admin ${definition.name}`,
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

const exitCodesNote = 'Exit codes: 0 done; 1 refused, such as what is taken or not there; 2 wrong arguments; '
  + '66 the data directory cannot be used.'

/** Names of users and tenants come from outside: a terminal does nothing that they say. */
function printLines(lines: readonly string[]): string {
  return lines.map((line) => `${escapeControl(line)}\n`).join('')
}
