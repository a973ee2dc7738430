import type { Program } from './parse-arguments.ts'
import { listOptionRows, printUsage } from './print-help.ts'
import type { DescribedCommand } from './print-help.ts'

/** Prints the manual page of one command, in the macros of man(7). */
export function printCommandPage(program: Program, command: DescribedCommand, version: string): string {
  const { name, summary, operands, notes } = command
  return [
    ...printHead(program, namePage(program, name), summary, version),
    '.SH SYNOPSIS', '.B ' + escapeRoff(printUsage(command, program)),
    ...(operands === undefined ? [] : ['.SH ARGUMENTS', ...printTerm(operands.usage, operands.help)]),
    '.SH OPTIONS', ...listOptionRows(command).flatMap(([usage, help]) => printTerm(usage, help)),
    '.SH NOTES', ...notes.flatMap((note) => ['.PP', escapeRoff(note)]),
    '.SH SEE ALSO', `.BR ${escapeRoff(program.name)} (1)`,
  ].join('\n') + '\n'
}

/** Prints the manual page of the program, with all commands. */
export function printOverviewPage(program: Program, commands: readonly DescribedCommand[], version: string): string {
  return [
    ...printHead(program, program.name, program.summary, version),
    '.SH SYNOPSIS', '.B ' + escapeRoff(`${program.name} <command> [arguments] [options]`),
    '.SH COMMANDS', ...commands.flatMap(({ name, summary }) => printTerm(`${program.name} ${name}`, summary)),
    '.SH OPTIONS', ...printTerm('-h, --help', 'Prints the commands; after a command, its help.'),
    ...printTerm('-v, --version', 'Prints the version.'),
    '.SH SEE ALSO',
    ...commands.map(({ name }, i) => {
      return `.BR ${escapeRoff(namePage(program, name))} (1)${i === commands.length - 1 ? '' : ','}`
    }),
  ].join('\n') + '\n'
}

/** All pages with the names of their files: `tripline.1`, `tripline-rules-check.1`. */
export function listManualPages(
  program: Program, commands: readonly DescribedCommand[], version: string,
): readonly { readonly file: string; readonly text: string }[] {
  return [
    { file: `${program.name}.1`, text: printOverviewPage(program, commands, version) },
    ...commands.map((command) => {
      return { file: `${namePage(program, command.name)}.1`, text: printCommandPage(program, command, version) }
    }),
  ]
}

/** The name of a command's page: `tripline-rules-check`. */
function namePage(program: Program, command: string): string {
  return `${program.name}-${command.replaceAll(' ', '-')}`
}

function printHead(program: Program, page: string, summary: string, version: string): readonly string[] {
  const title = `.TH ${page.toUpperCase()} 1 "" "${program.name} ${version}" "Tripline"`
  return [title, '.nh', '.ad l', '.SH NAME', `${escapeRoff(page)} \\- ${escapeRoff(summary.replace(/\.$/, ''))}`]
}

function printTerm(term: string, text: string): readonly string[] {
  return ['.TP', '.B ' + escapeRoff(term), escapeRoff(text)]
}

/** Escapes text of one line: `-` alone would be a hyphen, and a point or an apostrophe at the start a request. A comma may end a line. */
function escapeRoff(text: string): string {
  const escapes: { readonly [sign: string]: string } = {
    '\\': String.raw`\e`, '-': String.raw`\-`, '"': String.raw`\(dq`, "'": String.raw`\(aq`, ',': String.raw`,\:`,
  }
  return text.replaceAll(/[\\"',-]/g, (sign) => escapes[sign] ?? sign).replace(/^\./, String.raw`\&.`)
}
