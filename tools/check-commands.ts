import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readText, repositoryRoot } from './workspace.ts'

/** Programs that a reader has, or that the text around asks to install. */
const outsidePrograms = new Set([
  'cat', 'cd', 'cp', 'curl', 'echo', 'git', 'gunzip', 'head', 'jq', 'kill', 'logger', 'mkdir',
  'pnpm', 'printf', 'sed', 'sort', 'tail', 'tripline-collector', 'zcat',
])
/** Those among them that only print: a command line of these and ours is run by the tests. */
const printingPrograms = new Set(['cat', 'echo', 'head', 'printf', 'sort', 'tail'])

const ourProgram = join(repositoryRoot, 'packages/cli/src/main.ts')

/** Splits a command line at its pipes and `&&`, and each part into words; quotes, a trailing comment and `NAME=$(` go. */
export function splitCommand(command: string): string[][] {
  const parts: string[][] = [[]]
  for (const [token] of command.matchAll(/'[^']*'|"[^"]*"|&&|\|\|?|;|#.*|[^\s|;&]+/g)) {
    if (token.startsWith('#')) break
    if (/^(?:&&|\|\|?|;)$/.test(token)) parts.push([])
    else parts.at(-1)?.push(token.replaceAll(/^['"]|['"]$/g, '').replace(/^[A-Z_]+=\$\(/, ''))
  }
  return parts.filter((words) => words.length > 0)
}

/** Lists what is wrong with a command line of a document; nothing where its programs, scripts and options exist. */
export function findCommandProblems(command: string): string[] {
  return splitCommand(command).map(findProblem).filter((problem) => problem !== undefined)
}

/** Whether a command line only runs `tripline` and programs that print, so that a test may run it. */
export function isRunnable(command: string): boolean {
  const programs = splitCommand(replaceNpmRun(command)).map(([program = '']) => program)
  const known = programs.filter((program) => program === 'tripline' || printingPrograms.has(program))
  return programs.includes('tripline') && known.length === programs.length
}

/** Runs such a command line at the root of the repository; answers what a terminal would show. */
export function runCommand(command: string): string {
  const script = `tripline() { "$TRIPLINE_NODE" "$TRIPLINE_PROGRAM" "$@"; }\n{ ${replaceNpmRun(command)}\n} 2>&1`
  const env = { ...process.env, TRIPLINE_NODE: process.execPath, TRIPLINE_PROGRAM: ourProgram }
  return spawnSync('sh', ['-c', script], { cwd: repositoryRoot, env, encoding: 'utf8', timeout: 900_000 }).stdout
}

/** The same command as one would type it where `tripline` is installed. */
function replaceNpmRun(command: string): string {
  return command.replaceAll(/\bnpm run (?:-s )?tripline -- /g, 'tripline ')
}

function findProblem([program = '', ...words]: readonly string[]): string | undefined {
  if (program === 'npm') return findNpmProblem(words)
  if (program === 'node') return findNodeProblem(words)
  if (program === 'tripline') return findTriplineProblem(words)
  return outsidePrograms.has(program) ? undefined : `'${program}' is not a program that a reader is known to have`
}

function findNpmProblem(words: readonly string[]): string | undefined {
  const [script = '', ...rest] = words.filter((word) => word !== 'run' && word !== '-s')
  const { scripts } = JSON.parse(readText('package.json')) as { readonly scripts: object }
  if (!(script in scripts)) return `package.json has no script '${script}'`
  return script === 'tripline' ? findTriplineProblem(rest.filter((word, index) => index > 0 || word !== '--')) : undefined
}

function findNodeProblem(words: readonly string[]): string | undefined {
  const missing = words.find((word) => /\.m?[jt]s$/.test(word) && !existsSync(join(repositoryRoot, word)))
  return missing === undefined ? undefined : `${missing} does not exist`
}

function findTriplineProblem(words: readonly string[]): string | undefined {
  if (words.length === 1 && (words[0] === '--help' || words[0] === '--version')) return undefined
  const names = [...readHelp('').matchAll(/^ {2}(\S+(?: \S+){0,2}) {2,}/gm)].map(([, name = '']) => name)
  const name = names.find((known) => `${words.join(' ')} `.startsWith(`${known} `))
  if (name === undefined) return `tripline has no command '${words[0] ?? ''}'`
  const unknown = words
    .filter((word) => word.startsWith('--') && word !== '--')
    .map((word) => word.replace(/=.*/, ''))
    .find((option) => !new RegExp(`${option}(?![\\w-])`).test(readHelp(name)))
  return unknown === undefined ? undefined : `'tripline ${name}' has no option '${unknown}'`
}

const helpTexts = new Map<string, string>()

/** What `tripline <command> --help` prints. */
function readHelp(command: string): string {
  const known = helpTexts.get(command)
  if (known !== undefined) return known
  const args = [...command.split(' ').filter((word) => word !== ''), '--help']
  const { status, stdout, stderr } = spawnSync(process.execPath, [ourProgram, ...args], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`tripline ${args.join(' ')} ended with ${status}: ${stderr}`)
  helpTexts.set(command, stdout)
  return stdout
}
