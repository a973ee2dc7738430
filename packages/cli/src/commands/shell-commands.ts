import { exitCodes } from '@tripline/common/exit-error'
import { answerCompletion, answerMan, shellCommandTexts } from '@tripline/common/command-line/print-shell-files'
import { defineCommand } from '../framework/command.ts'
import type { Command } from '../framework/command.ts'
import { program } from '../framework/program.ts'
import { readVersion } from '../framework/read-version.ts'
import { writeText } from '../framework/write-text.ts'

/** Creates the commands that are printed from the definitions of all others: completion scripts and manual pages. */
export function createShellCommands(others: readonly Command[]): readonly Command[] {
  const all = [...others]
  const { completion, man } = shellCommandTexts
  const commands = [
    defineCommand({
      ...completion,
      notes: completion.listNotes(program),
      async run(args, context) {
        await writeText(context.stdout, answerCompletion({ program, commands: all }, args))
        return exitCodes.ok
      },
    }),
    defineCommand({
      ...man,
      notes: man.listNotes(program),
      async run(args, context) {
        const manual = { program, commands: all, version: readVersion() }
        await writeText(context.stdout, await answerMan(manual, args, context.cwd))
        return exitCodes.ok
      },
    }),
  ]
  all.push(...commands)
  return commands
}
