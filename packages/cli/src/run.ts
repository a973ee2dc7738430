import { printError } from '@tripline/common/command-line/print-error'
import { printGroup, printOverview } from '@tripline/common/command-line/print-help'
import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { suggestName } from '@tripline/engine'
import { commands } from './command-table.ts'
import { usageError } from './framework/command-error.ts'
import type { Command } from './framework/command.ts'
import type { Context } from './framework/context.ts'
import { program } from './framework/program.ts'
import { readVersion } from './framework/read-version.ts'
import { isReaderGone, writeText } from './framework/write-text.ts'

/**
 * Runs one command line and resolves to its exit code. An error that a user can cause ends with a sentence on
 * stderr; the promise rejects only for a bug.
 */
export async function run(args: readonly string[], context: Context): Promise<number> {
  // A failed write rejects its own promise. Without a listener, the stream would also end the process.
  for (const stream of [context.stdout, context.stderr]) stream.on('error', () => {})
  try {
    return await dispatch(args, context)
  } catch (error) {
    if (isReaderGone(error)) return exitCodes.ok
    if (!(error instanceof ExitError)) throw error
    context.stderr.write(`${printError(error, program, args)}\n`)
    return error.exitCode
  }
}

async function dispatch(args: readonly string[], context: Context): Promise<number> {
  const command = commands.find(({ name }) => name.split(' ').every((word, i) => args[i] === word))
  if (command !== undefined) return await command.run(args.slice(command.name.split(' ').length), context)

  const [first = '', ...others] = args
  if (first === 'help' && others.length > 0 && !others.includes('--help')) return await dispatch([...others, '--help'], context)
  if (first === '--version' || first === '-v') return await printAnswer(`${readVersion()}\n`, context)
  if (requestsHelp(args)) return await printAnswer(printOverview(program, readVersion(), commands), context)
  const group = findGroup(args)
  if (group.words > 0 && requestsHelp(args.slice(group.words))) {
    return await printAnswer(printGroup(program, args.slice(0, group.words).join(' '), group.commands), context)
  }
  throw createUnknownCommandError(args)
}

/** The commands that begin with the longest run of known words: `admin user` has four. */
function findGroup(args: readonly string[]): { readonly words: number; readonly commands: readonly Command[] } {
  let found: { readonly words: number; readonly commands: readonly Command[] } = { words: 0, commands }
  for (let words = 1; words <= args.length; words++) {
    const begin = `${args.slice(0, words).join(' ')} `
    const matching = commands.filter(({ name }) => name.startsWith(begin))
    if (matching.length === 0) break
    found = { words, commands: matching }
  }
  return found
}

function requestsHelp([first]: readonly string[]): boolean {
  return first === '--help' || first === '-h' || first === 'help'
}

async function printAnswer(text: string, { stdout }: Context): Promise<number> {
  await writeText(stdout, text)
  return exitCodes.ok
}

function createUnknownCommandError(args: readonly string[]): ExitError {
  const [first] = args
  const { words, commands: siblings } = findGroup(args)
  const names = commands.map(({ name }) => name)
  if (words > 0) {
    const given = args.slice(0, words + 1).join(' ')
    const near = args.length > words ? suggestName(given, siblings.map(({ name }) => name)) : undefined
    const problem = args.length > words ? `unknown command '${given}'` : `'tripline ${given}' needs one more word`
    return usageError(`${problem}; ${near ?? `commands: ${siblings.map(({ name }) => name).join(', ')}`}`)
  }
  const firstWords = [...new Set(names.map((name) => name.replace(/ .*/, '')))]
  const known = `commands: ${firstWords.join(', ')}`
  if (first === undefined) return usageError(`no command given; ${known}`)
  // An option before the command, such as `--rules`, does not mean a group of commands.
  const candidates = first.startsWith('-') ? names : [...firstWords, ...names]
  return usageError(`unknown command '${first}'; ${suggestName(first, candidates) ?? known}`)
}
