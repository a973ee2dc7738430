import { usageError } from '../exit-error.ts'
import { printBashCompletion } from './bash-completion.ts'
import { buildCompletionModel } from './completion-model.ts'
import type { CompletionModel } from './completion-model.ts'
import { printFishCompletion } from './fish-completion.ts'
import type { Program } from './parse-arguments.ts'
import type { DescribedCommand } from './print-help.ts'
import { printCommandPage, printOverviewPage } from './print-man.ts'
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
    listNotes: ({ name }: Program): readonly string[] => [
      `To read it: ${name} man completion | man -l -.`, 'Exit codes: 0 printed; 2 there is no such command.',
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

/** Prints the manual page of a command, or without words that of the program. @throws ExitError for an unknown command. */
export function printManualPage(
  program: Program, commands: readonly DescribedCommand[], words: readonly string[], version: string,
): string {
  const name = words.join(' ')
  if (name === '') return printOverviewPage(program, commands, version)
  const command = commands.find((one) => one.name === name)
  if (command !== undefined) return printCommandPage(program, command, version)
  const hint = program.suggest(name, commands.map((one) => one.name))
  throw usageError(`unknown command '${name}'${hint === undefined ? '' : `; ${hint}`}`)
}
