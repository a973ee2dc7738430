import type { DescribedCommand } from './print-help.ts'
import { printValueLabel } from './parse-arguments.ts'
import type { Option } from './parse-arguments.ts'

/** What may follow the words of a command line, as data: each shell's script is printed from it. */
export type CompletionModel = {
  /** The name of the program. */
  readonly program: string
  /** Beginnings of commands: nothing, `rules`, `admin user`; with the words that may follow. */
  readonly groups: readonly { readonly prefix: string; readonly words: readonly CompletionWord[] }[]
  readonly commands: readonly CompletedCommand[]
}

type CompletionWord = { readonly word: string; readonly summary: string }

type CompletedCommand = {
  readonly name: string
  readonly options: readonly CompletedOption[]
  readonly operand: CompletedValue | undefined
}

type CompletedOption = {
  readonly name: string
  /** A letter that stands for it. */
  readonly short: string | undefined
  readonly summary: string
  readonly value: CompletedValue | undefined
  readonly isRepeated: boolean
}

/** A value: one of some words, the path of a file, or anything. */
type CompletedValue = { readonly kind: 'words'; readonly words: readonly string[] } | { readonly kind: 'file' } | { readonly kind: 'text' }

/** Builds the model of some commands. */
export function buildCompletionModel(program: string, commands: readonly DescribedCommand[]): CompletionModel {
  const prefixes = new Map<string, Map<string, string>>()
  for (const { name, summary } of commands) {
    const words = name.split(' ')
    for (const [i, word] of words.entries()) {
      const prefix = words.slice(0, i).join(' ')
      const following = prefixes.get(prefix) ?? new Map<string, string>()
      prefixes.set(prefix, following)
      const isLast = i === words.length - 1
      if (isLast || !following.has(word)) following.set(word, isLast ? summary : `Commands of ${words.slice(0, i + 1).join(' ')}.`)
    }
  }
  return {
    program,
    groups: Array.from(prefixes, ([prefix, words]) => ({ prefix, words: Array.from(words, ([word, summary]) => ({ word, summary })) })),
    commands: commands.map(({ name, options, operands }) => ({
      name,
      options: [
        ...Object.entries(options).map(([option, definition]) => toCompletedOption(option, definition)),
        { name: 'help', short: 'h', summary: 'Prints this help', value: undefined, isRepeated: false },
      ],
      operand: operands === undefined ? undefined : toValue(operands.usage),
    })),
  }
}

function toCompletedOption(name: string, option: Option): CompletedOption {
  const value = option.kind === 'flag' || option.kind === 'switch' ? undefined
    : option.kind === 'choice' ? { kind: 'words', words: option.choices } as const
    : toValue(printValueLabel(option))
  const isRepeated = option.kind === 'list' || option.kind === 'repeated'
  return { name, short: option.short, summary: getFirstSentence(option.help), value, isRepeated }
}

/** What a placeholder stands for: `<file>`, `<dir>`, `<path|->` and `<rules>...` are paths, `bash|zsh` one of these words. */
function toValue(label: string): CompletedValue {
  if (/^[a-z0-9-]+(?:\|[a-z0-9-]+)+$/.test(label)) return { kind: 'words', words: label.split('|') }
  return /<(?:file|dir|path|rules)\b/.test(label) ? { kind: 'file' } : { kind: 'text' }
}

function getFirstSentence(text: string): string {
  return /^.*?[.;:](?= |$)/.exec(text)?.[0].replace(/[.;:]$/, '') ?? text
}
