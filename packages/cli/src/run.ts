import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { createRequire } from 'node:module'
import { suggestName } from '@tripline/engine'
import { keyCommands } from './commands/admin-key.ts'
import { tenantCommands } from './commands/admin-tenant.ts'
import { adminTokenCommand } from './commands/admin-token.ts'
import { userCommands } from './commands/admin-user.ts'
import { auditVerifyCommand } from './commands/audit-verify.ts'
import { benchCommand } from './commands/bench.ts'
import { detectCommand } from './commands/detect.ts'
import { explainCommand } from './commands/explain.ts'
import { huntCommand } from './commands/hunt.ts'
import { ingestCommand } from './commands/ingest.ts'
import { limitsCommand } from './commands/limits-command.ts'
import { rulesCheckCommand } from './commands/rules-check.ts'
import { rulesCostCommand } from './commands/rules-cost.ts'
import { rulesHealthCommand } from './commands/rules-health.ts'
import { rulesLintCommand } from './commands/rules-lint.ts'
import { rulesTestCommand } from './commands/rules-test.ts'
import { searchCommand } from './commands/search.ts'
import { serveCommand } from './commands/serve.ts'
import { tokenCommands } from './commands/token.ts'
import { verifyCommand } from './commands/verify.ts'
import { watchCommand } from './commands/watch.ts'
import { usageError } from './framework/command-error.ts'
import type { Command } from './framework/command.ts'
import type { Context } from './framework/context.ts'
import { printGroup, printOverview } from './framework/print-help.ts'
import { isReaderGone, writeText } from './framework/write-text.ts'

/** All commands, in the order of the overview. */
export const commands: readonly Command[] = [
  detectCommand,
  rulesCheckCommand,
  rulesLintCommand,
  rulesTestCommand,
  rulesCostCommand,
  rulesHealthCommand,
  explainCommand,
  ingestCommand,
  searchCommand,
  huntCommand,
  verifyCommand,
  benchCommand,
  serveCommand,
  watchCommand,
  ...tenantCommands,
  ...userCommands,
  ...keyCommands,
  adminTokenCommand,
  ...tokenCommands,
  auditVerifyCommand,
  limitsCommand,
]

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
    context.stderr.write(`tripline: ${error.message}\n`)
    return error.exitCode
  }
}

async function dispatch(args: readonly string[], context: Context): Promise<number> {
  const command = commands.find(({ name }) => name.split(' ').every((word, i) => args[i] === word))
  if (command !== undefined) return await command.run(args.slice(command.name.split(' ').length), context)

  const [first = ''] = args
  if (first === '--version') return await printAnswer(`${readVersion()}\n`, context)
  if (requestsHelp(args)) return await printAnswer(printOverview(readVersion(), commands), context)
  const group = findGroup(args)
  if (group.words > 0 && requestsHelp(args.slice(group.words))) {
    return await printAnswer(printGroup(args.slice(0, group.words).join(' '), group.commands), context)
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
  const known = `commands: ${[...new Set(names.map((name) => name.replace(/ .*/, '')))].join(', ')}`
  if (first === undefined) return usageError(`no command given; ${known}`)
  return usageError(`unknown command '${first}'; ${suggestName(first, names) ?? known}`)
}

function readVersion(): string {
  // Resolves the package by its name, which works from the sources and from the built package.
  const { version } = createRequire(import.meta.url)('tripline/package.json') as { readonly version: string }
  return version
}
