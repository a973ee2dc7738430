import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { readEventFile } from '@tripline/formats/files/read-events'
import { existsSync, statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { globSync } from 'tinyglobby'
import { usageError } from '../framework/command-error.ts'
import type { Context } from '../framework/context.ts'
import { escapeControl } from '../framework/escape-control.ts'
import { limits } from '../limits.ts'
import { findFiles } from './find-files.ts'
import { openInput } from './open-input.ts'
import type { Input } from './open-input.ts'

/**
 * Lists the paths that `--input` stands for, each once. What is named is taken as it is; of a directory, the files whose name or
 * beginning tells events. Those left out are named on stderr.
 *
 * @throws ExitError (66) for what stands for no file.
 */
export async function findInputPaths(given: readonly string[], context: Context): Promise<string[]> {
  const paths = new Map<string, string>()
  const leftOut: string[] = []
  for (const one of given.length === 0 ? ['-'] : given) {
    for (const path of await expand(one, leftOut, context)) {
      const key = path === '-' ? path : resolve(context.cwd, path)
      if (!paths.has(key)) paths.set(key, path)
    }
  }
  refuseTooMany(paths.size)
  if (leftOut.length > 0) context.stderr.write(`tripline: ${describeLeftOut(leftOut)}\n`)
  return [...paths.values()]
}

async function expand(given: string, leftOut: string[], context: Context): Promise<string[]> {
  if (given === '-') return ['-']
  const { cwd } = context
  const isPattern = /[*?[{]/.test(given) && !existsSync(resolve(cwd, given))
  const found: string[] = []
  for (const named of isPattern ? expandPattern(given, cwd) : [given]) {
    const files = findFiles(named, { cwd, thing: 'input', isWanted: () => true })
    refuseTooMany(files.length)
    const isNamedItself = !statSync(resolve(cwd, named)).isDirectory()
    for (const path of files) {
      if (isNamedItself || isNamedAsEvents(path) || await beginsWithEvents(path, context)) found.push(path)
      else leftOut.push(path)
    }
  }
  if (found.length > 0) return found
  const what = isPattern ? 'the pattern matches no file' : 'the directory holds no file of events, such as *.ndjson, *.evtx or *.csv.gz'
  throw new ExitError(exitCodes.unreadable, `input '${given}' cannot be read: ${what}`)
}

/** Files and directories that a pattern matches, in order; relative to `cwd` as the pattern is. Not by `node:fs`, which Node 20 lacks. */
function expandPattern(pattern: string, cwd: string): string[] {
  const found = globSync(pattern, { cwd, absolute: isAbsolute(pattern), onlyFiles: false, expandDirectories: false })
  return found.map((path) => path.replace(/\/$/, '')).sort()
}

/** Whether a file is named as files of events are; a rotated one may have a number or a date behind. */
function isNamedAsEvents(path: string): boolean {
  return /\.(?:ndjson|jsonl|json|log|evtx|csv|tsv)(?:[.-]\d{1,8}){0,3}(?:\.(?:gz|zst|bz2|xz))?$/i.test(path)
}

/** Whether a file begins with what only events begin with; words, pairs and tables may be anything. */
async function beginsWithEvents(path: string, context: Context): Promise<boolean> {
  let input: Input | undefined
  try {
    input = await openInput(path, context)
    const { format, chunks } = await readEventFile(input.chunks, () => {}, { readAt: context.wallClock() })
    if (format === 'csv' || format === 'logfmt') return false
    if (format !== 'ndjson') return true
    for await (const chunk of chunks) return /^\s*\{.*\}\s*$/.test(chunk.toString('utf8').split('\n', 1)[0]!)
    return false
  } catch {
    // What cannot be read or unpacked is left out, and named.
    return false
  } finally {
    input?.close()
  }
}

function refuseTooMany(count: number): void {
  if (count <= limits.inputFilesMax) return
  throw usageError(`option '--input' stands for more than ${limits.inputFilesMax.toLocaleString('en')} files`)
}

function describeLeftOut(paths: readonly string[]): string {
  const { leftOutShownMax } = limits
  const named = escapeControl(paths.slice(0, leftOutShownMax).join(', '))
  const rest = paths.length > leftOutShownMax ? ` and ${paths.length - leftOutShownMax} more` : ''
  const what = paths.length === 1 ? 'one file is left out' : `${paths.length} files are left out`
  return `${what}, whose name and beginning tell no events: ${named}${rest}; name a file itself to read it`
}
