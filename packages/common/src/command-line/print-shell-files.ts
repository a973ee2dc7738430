import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { getErrorMessage } from '../error-message.ts'
import { ExitError, exitCodes, usageError } from '../exit-error.ts'
import { printBashCompletion } from './bash-completion.ts'
import { buildCompletionModel } from './completion-model.ts'
import type { CompletionModel } from './completion-model.ts'
import { printFishCompletion } from './fish-completion.ts'
import type { Arguments, Program } from './parse-arguments.ts'
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
    options: { json: { kind: 'flag', help: 'Prints one JSON object: {"shell","script"}.' } },
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
      json: { kind: 'flag', help: 'Prints one JSON object: {"page"}, or with --dir {"directory","files"}.' },
    },
    listNotes: ({ name }: Program): readonly string[] => [
      `To read it: ${name} man completion | man -l -.`,
      'Exit codes: 0 printed; 2 there is no such command; 74 the pages cannot be written.',
    ],
  },
} as const

/** What completion scripts and manual pages are made of. */
type Manual = { readonly program: Program; readonly commands: readonly DescribedCommand[]; readonly version: string }

type CompletionArguments = Arguments<typeof shellCommandTexts.completion.options>

/**
 * Prints what the command `completion` is asked for, as it is or as JSON.
 *
 * @throws ExitError for a shell that has no script, and for more than one.
 */
export function answerCompletion({ program, commands }: Omit<Manual, 'version'>, { operands, options }: CompletionArguments): string {
  const [shell = '', second] = operands
  if (second !== undefined) throw usageError(`unexpected argument '${second}' for '${program.name} completion'`)
  const print = Object.hasOwn(completions, shell) ? completions[shell] : undefined
  if (print === undefined) throw usageError(`unknown shell '${shell}'; it is one of ${Object.keys(completions).join(', ')}`)
  const script = print(buildCompletionModel(program.name, commands))
  return options.json ? printJson({ shell, script }) : script
}

type ManArguments = Arguments<typeof shellCommandTexts.man.options>

/**
 * Does what the command `man` is asked for, and returns what it prints, as it is or as JSON: a page, or what was written into the
 * directory of `--dir`, which begins at `cwd`.
 *
 * @throws ExitError for an unknown command, and for pages that cannot be written.
 */
export async function answerMan(manual: Manual, { operands: words, options }: ManArguments, cwd: string): Promise<string> {
  const { dir, json: isJson } = options
  if (dir === undefined) {
    const page = printManualPage(manual, words)
    return isJson ? printJson({ page }) : page
  }
  if (words.length > 0) throw usageError(`'--dir' writes the pages of all commands; leave out '${words.join(' ')}'`)
  const directory = resolve(cwd, dir)
  const pages = listManualPages(manual.program, manual.commands, manual.version)
  try {
    await mkdir(directory, { recursive: true })
    for (const { file, text } of pages) await writeFile(join(directory, file), text)
  } catch (error) {
    throw new ExitError(exitCodes.unwritable, `the pages cannot be written: ${getErrorMessage(error)}`, { cause: error })
  }
  return isJson ? printJson({ directory, files: pages.map(({ file }) => file) }) : `wrote ${pages.length} pages into '${directory}'\n`
}

function printJson(value: object): string {
  return `${JSON.stringify(value)}\n`
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
