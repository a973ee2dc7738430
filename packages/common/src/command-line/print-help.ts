import { isRequired, printValueLabel } from './parse-arguments.ts'
import type { Operands, Option, OptionTable, Program } from './parse-arguments.ts'

/** What help prints of a command. */
export type DescribedCommand = {
  readonly name: string
  readonly summary: string
  readonly operands?: Operands | undefined
  readonly options: OptionTable
  readonly notes: readonly string[]
}

const helpWidth = 100
/** Characters of an option that its help still stands beside; the help of a longer one begins on the next line. */
const leftWidthMax = 32

/** Whether `--help` or `-h` stands among the arguments; after `--` it is an operand. */
export function requestsHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  const options = end === -1 ? args : args.slice(0, end)
  return options.includes('--help') || options.includes('-h')
}

/** Prints the help of one command from its definition. */
export function printHelp(command: DescribedCommand, program: Program): string {
  const { summary, operands, notes } = command
  return [
    `Usage: ${printUsage(command, program)}\n\n${wrapText(summary, 0)}`,
    ...(operands === undefined ? [] : [`Arguments:\n${printRows([[operands.usage, operands.help]])}`]),
    `Options:\n${printRows(listOptionRows(command))}`,
    ...notes.map((note) => wrapText(note, 0)),
  ].join('\n\n') + '\n'
}

/** One line: `detect <rules>... [options]` after the program. */
export function printUsage({ name, operands, options }: DescribedCommand, program: Program): string {
  const required = Object.entries(options).filter(([, option]) => isRequired(option)).map(printOptionUsage)
  return [program.name, name, ...(operands === undefined ? [] : [operands.usage]), ...required, '[options]'].join(' ')
}

/** The options of a command as they are typed, with their help; `--help` is the last. */
export function listOptionRows({ options }: DescribedCommand): readonly (readonly [usage: string, help: string])[] {
  return [...Object.entries(options).map(printOptionRow), ['-h, --help', 'Prints this help.']]
}

/** Prints the overview that the program shows for `--help`. */
export function printOverview(
  program: Program,
  version: string,
  commands: readonly { readonly name: string; readonly summary: string }[],
): string {
  const rows = commands.map(({ name, summary }) => [name, summary] as const)
  return [
    `${program.name} ${version}: ${uncapitalize(program.summary)}`,
    `Usage: ${program.name} <command> [arguments] [options]`,
    `Commands:\n${printRows(rows)}`,
    `'${program.name} <command> --help' prints the help of a command, '${program.name} -v' the version.`,
  ].join('\n\n') + '\n'
}

/** Prints the commands that begin with the same words, as `rules --help` shows them. */
export function printGroup(
  program: Program, words: string, commands: readonly { readonly name: string; readonly summary: string }[],
): string {
  return [
    `Usage: ${program.name} ${words} <command> [arguments] [options]`,
    `Commands:\n${printRows(commands.map(({ name, summary }) => [name, summary] as const))}`,
    `'${program.name} <command> --help' prints the help of a command.`,
  ].join('\n\n') + '\n'
}

function printOptionRow([name, option]: [string, Option]): readonly [string, string] {
  const hasDefault = 'default' in option
  const short = option.short === undefined ? '' : `-${option.short}, `
  return [`${short}${printOptionUsage([name, option])}`, hasDefault ? `${option.help} Default: ${option.default}.` : option.help]
}

function printOptionUsage([name, option]: [string, Option]): string {
  return `--${name} ${printValueLabel(option)}`.trimEnd()
}

function printRows(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length).filter((length) => length <= leftWidthMax))
  return rows.map(([left, right]) => {
    const start = left.length > width ? `  ${left}\n${' '.repeat(width + 2)}` : `  ${left.padEnd(width)}`
    return `${start}  ${wrapText(right, width + 4)}`
  }).join('\n')
}

/** A sentence as it continues another: with a small letter, without the point. */
function uncapitalize(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1).replace(/\.$/, '')}`
}

/** Wraps a text at blanks; every line but the first is indented. */
function wrapText(text: string, indent: number): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && indent + line.length + 1 + word.length > helpWidth) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`)
}
