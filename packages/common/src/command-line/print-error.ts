import type { ExitError } from '../exit-error.ts'
import type { Program } from './parse-arguments.ts'

/** The option `--json` of a command whose output is JSON, or has a format of its own, without it. */
export const jsonErrors = { kind: 'flag', help: 'Prints an error as one JSON object; the output is the same without it.' } as const

/** Prints an error that ends a command: a sentence, or with `--json` among its arguments one JSON object. */
export function printError({ message, exitCode }: ExitError, program: Program, args: readonly string[]): string {
  return requestsJson(args) ? JSON.stringify({ error: { message, exit_code: exitCode } }) : `${program.name}: ${message}`
}

/** Whether `--json` stands among the options, also of a command line that cannot be read otherwise. */
function requestsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return (end === -1 ? args : args.slice(0, end)).includes('--json')
}
