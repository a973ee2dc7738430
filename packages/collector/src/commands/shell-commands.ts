import { answerMan, printCompletion, shellCommandTexts } from '@tripline/common/command-line/print-shell-files'
import { exitCodes } from '@tripline/common/exit-error'
import { readCollectorVersion } from '../version.ts'
import { defineCollectorCommand, collectorProgram } from './command.ts'
import type { CollectorCommand } from './command.ts'

/** Creates the commands that are printed from the definitions of all others: completion scripts and manual pages. */
export function createCollectorShellCommands(others: readonly CollectorCommand[]): readonly CollectorCommand[] {
  const all = [...others]
  const { completion, man } = shellCommandTexts
  const commands = [
    defineCollectorCommand({
      ...completion, options: {}, notes: completion.listNotes(collectorProgram),
      run: ({ operands }, io) => {
        io.printLine(printCompletion(collectorProgram, all, operands).trimEnd())
        return Promise.resolve(exitCodes.ok)
      },
    }),
    defineCollectorCommand({
      ...man, notes: man.listNotes(collectorProgram),
      run: async ({ operands, options: { dir } }, io) => {
        const manual = { program: collectorProgram, commands: all, version: readCollectorVersion() }
        io.printLine((await answerMan(manual, operands, dir)).trimEnd())
        return exitCodes.ok
      },
    }),
  ]
  all.push(...commands)
  return commands
}
