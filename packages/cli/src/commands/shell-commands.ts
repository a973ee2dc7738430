import { exitCodes } from '@tripline/common/exit-error'
import { suggestName } from '@tripline/engine'
import { usageError } from '../framework/command-error.ts'
import { defineCommand } from '../framework/command.ts'
import type { Command } from '../framework/command.ts'
import { readVersion } from '../framework/read-version.ts'
import { writeText } from '../framework/write-text.ts'
import { printBashCompletion } from '../shell/bash-completion.ts'
import { buildCompletionModel } from '../shell/completion-model.ts'
import type { CompletionModel } from '../shell/completion-model.ts'
import { printFishCompletion } from '../shell/fish-completion.ts'
import { printCommandPage, printOverviewPage } from '../shell/print-man.ts'
import { printZshCompletion } from '../shell/zsh-completion.ts'

const completions: { readonly [shell: string]: (model: CompletionModel) => string } = {
  bash: printBashCompletion, zsh: printZshCompletion, fish: printFishCompletion,
}

/** Creates the commands that are printed from the definitions of all others: completion scripts and manual pages. */
export function createShellCommands(others: readonly Command[]): readonly Command[] {
  const all = [...others]
  const completion = defineCommand({
    name: 'completion',
    summary: 'Prints the completion script of a shell.',
    operands: { usage: 'bash|zsh|fish', help: 'The shell.' },
    options: {},
    notes: [
      `bash: source <(tripline completion bash). zsh: tripline completion zsh > ~/.zfunc/_tripline, where ~/.zfunc is in $fpath. `
        + 'fish: tripline completion fish > ~/.config/fish/completions/tripline.fish.',
      'Exit codes: 0 printed; 2 wrong arguments.',
    ],
    async run({ operands }, context) {
      const [shell = '', second] = operands
      if (second !== undefined) throw usageError(`unexpected argument '${second}' for 'tripline completion'`)
      const print = Object.hasOwn(completions, shell) ? completions[shell] : undefined
      if (print === undefined) throw usageError(`unknown shell '${shell}'; it is one of ${Object.keys(completions).join(', ')}`)
      await writeText(context.stdout, print(buildCompletionModel(all)))
      return exitCodes.ok
    },
  })
  const man = defineCommand({
    name: 'man',
    summary: 'Prints the manual page of a command as roff.',
    operands: { usage: '[<command>...]', help: 'The words of a command, such as rules check. Default: the page of all commands.' },
    options: {},
    notes: ['To read it: tripline man rules check | man -l -.', 'Exit codes: 0 printed; 2 there is no such command.'],
    async run({ operands }, context) {
      const name = operands.join(' ')
      const command = all.find((one) => one.name === name)
      if (command === undefined && name !== '') {
        const hint = suggestName(name, all.map((one) => one.name))
        throw usageError(`unknown command '${name}'${hint === undefined ? '' : `; ${hint}`}`)
      }
      const version = readVersion()
      await writeText(context.stdout, command === undefined ? printOverviewPage(all, version) : printCommandPage(command, version))
      return exitCodes.ok
    },
  })
  all.push(completion, man)
  return [completion, man]
}
