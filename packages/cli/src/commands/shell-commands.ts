import { exitCodes } from '@tripline/common/exit-error'
import { answerMan, printCompletion, shellCommandTexts } from '@tripline/common/command-line/print-shell-files'
import { resolve } from 'node:path'
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
      options: {},
      notes: completion.listNotes(program),
      async run({ operands }, context) {
        await writeText(context.stdout, printCompletion(program, all, operands))
        return exitCodes.ok
      },
    }),
    defineCommand({
      ...man,
      notes: man.listNotes(program),
      async run({ operands, options: { dir } }, context) {
        const manual = { program, commands: all, version: readVersion() }
        await writeText(context.stdout, await answerMan(manual, operands, dir === undefined ? undefined : resolve(context.cwd, dir)))
        return exitCodes.ok
      },
    }),
  ]
  all.push(...commands)
  return commands
}
