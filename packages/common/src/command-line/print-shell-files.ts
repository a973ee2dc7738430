import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getErrorMessage } from '../error-message.ts'
import { ExitError, exitCodes, usageError } from '../exit-error.ts'
import { printBashCompletion } from './bash-completion.ts'
import { buildCompletionModel } from './completion-model.ts'
import type { CompletionModel } from './completion-model.ts'
import { printFishCompletion } from './fish-completion.ts'
import type { Program } from './parse-arguments.ts'
import type { DescribedCommand } from './print-help.ts'
import { listManualPages, printCommandPage, printOverviewPage } from './print-man.ts'
import { printZshCompletion } from './zsh-completion.ts'

const completions: { readonly [shell: string]: (model: CompletionModel) => string } = {
  bash: printBashCompletion, zsh: printZshCompletion, fish: printFishCompletion,
}

/** What the commands `completion` and `man` of every program say of themselves. */
export const shellCommandTexts = {
  completion: {
    name: 'completion',
    summary: 'Prints the completion script of a shell.',
    operands: { usage: 'bash|zsh|fish', help: 'The shell.' },
    listNotes: ({ name }: Program): readonly string[] => [
      `bash: source <(${name} completion bash). zsh: ${name} completion zsh > ~/.zfunc/_${name}, where ~/.zfunc is in $fpath. `
        + `fish: ${name} completion fish > ~/.config/fish/completions/${name}.fish.`,
      'Exit codes: 0 printed; 2 wrong arguments.',
    ],
  },
  man: {
    name: 'man',
    summary: 'Prints the manual page of a command as roff.',
    operands: { usage: '[<command>...]', help: 'The words of a command. Default: the page of all commands.' },
    options: {
      dir: {
        kind: 'text', value: '<dir>',
        help: 'Writes the pages of all commands into this directory, such as /usr/local/share/man/man1.',
      },
    },
    listNotes: ({ name }: Program): readonly string[] => [
      `To read it: ${name} man completion | man -l -.`,
      'Exit codes: 0 printed; 2 there is no such command; 74 the pages cannot be written.',
    ],
  },
} as const

/** Prints the completion script of a shell. @throws ExitError for a shell that has none, and for more than one. */
export function printCompletion(program: Program, commands: readonly DescribedCommand[], [shell = '', second]: readonly string[]): string {
  if (second !== undefined) throw usageError(`unexpected argument '${second}' for '${program.name} completion'`)
  const print = Object.hasOwn(completions, shell) ? completions[shell] : undefined
  if (print === undefined) throw usageError(`unknown shell '${shell}'; it is one of ${Object.keys(completions).join(', ')}`)
  return print(buildCompletionModel(program.name, commands))
}

/** What a manual is made of. */
type Manual = { readonly program: Program; readonly commands: readonly DescribedCommand[]; readonly version: string }

/**
 * Does what the command `man` is asked for, and returns what it prints: a page, or how many were written into a directory.
 *
 * @throws ExitError for an unknown command, and for pages that cannot be written.
 */
export async function answerMan(manual: Manual, words: readonly string[], directory: string | undefined): Promise<string> {
  if (directory === undefined) return printManualPage(manual, words)
  if (words.length > 0) throw usageError(`'--dir' writes the pages of all commands; leave out '${words.join(' ')}'`)
  const pages = listManualPages(manual.program, manual.commands, manual.version)
  try {
    await mkdir(directory, { recursive: true })
    for (const { file, text } of pages) await writeFile(join(directory, file), text)
  } catch (error) {
    throw new ExitError(exitCodes.unwritable, `the pages cannot be written: ${getErrorMessage(error)}`, { cause: error })
  }
  return `wrote ${pages.length} pages into '${directory}'\n`
}

/** Prints the manual page of a command, or without words that of the program. @throws ExitError for an unknown command. */
function printManualPage({ program, commands, version }: Manual, words: readonly string[]): string {
  const name = words.join(' ')
  if (name === '') return printOverviewPage(program, commands, version)
  const command = commands.find((one) => one.name === name)
  if (command !== undefined) return printCommandPage(program, command, version)
  const hint = program.suggest(name, commands.map((one) => one.name))
  throw usageError(`unknown command '${name}'${hint === undefined ? '' : `; ${hint}`}`)
}
