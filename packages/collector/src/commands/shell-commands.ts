import { answerCompletion, answerMan, shellCommandTexts } from '@tripline/common/command-line/print-shell-files'
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
      ...completion, notes: completion.listNotes(collectorProgram),
      run: (args, io) => {
        io.printLine(answerCompletion({ program: collectorProgram, commands: all }, args).trimEnd())
        return Promise.resolve(exitCodes.ok)
      },
    }),
    defineCollectorCommand({
      ...man, notes: man.listNotes(collectorProgram),
      run: async (args, io) => {
        const manual = { program: collectorProgram, commands: all, version: readCollectorVersion() }
        io.printLine((await answerMan(manual, args, process.cwd())).trimEnd())
        return exitCodes.ok
      },
    }),
  ]
  all.push(...commands)
  return commands
}
