import { printCompletion, printManualPage, shellCommandTexts } from '@tripline/common/command-line/print-shell-files'
import { exitCodes } from '@tripline/common/exit-error'
import { readCollectorVersion } from '../version.ts'
import { defineCommand, program } from './command.ts'
import type { CollectorCommand } from './command.ts'

/** Creates the commands that are printed from the definitions of all others: completion scripts and manual pages. */
export function createShellCommands(others: readonly CollectorCommand[]): readonly CollectorCommand[] {
  const all = [...others]
  const { completion, man } = shellCommandTexts
  const commands = [
    defineCommand({
      ...completion, options: {}, notes: completion.listNotes(program),
      run: ({ operands }, io) => {
        io.printLine(printCompletion(program, all, operands).trimEnd())
        return Promise.resolve(exitCodes.ok)
      },
    }),
    defineCommand({
      ...man, options: {}, notes: man.listNotes(program),
      run: ({ operands }, io) => {
        io.printLine(printManualPage(program, all, operands, readCollectorVersion()).trimEnd())
        return Promise.resolve(exitCodes.ok)
      },
    }),
  ]
  all.push(...commands)
  return commands
}
