import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import type { Dirent, Stats } from 'node:fs'
import { resolve } from 'node:path'
import type { RuleSource } from '@tripline/engine'
import { isTestFile } from '@tripline/rule-tools'
import { getErrorCode, unreadableError, usageError } from '../framework/command-error.ts'
import { peek } from '../input/peek.ts'
import { limits } from '../limits.ts'

/**
 * Reads rule files. A directory gives every `*.yml` and `*.yaml` below it, sorted by path; names that begin
 * with a dot are left out, and so are files of tests; symbolic links are followed, each directory once. A file
 * that is reached twice is read once. The `path` of a source is the argument as given, joined with what lies below it.
 *
 * Reading is synchronous: nothing else can run before the rules are there, and SigmaHQ's 3,757 files take
 * a tenth of a second.
 *
 * @throws CommandError (66) for a path that cannot be read.
 */
export function readRules(paths: readonly string[], cwd: string): RuleSource[] {
  // `rules/*.yml` names files of tests as well.
  return readSources(paths.flatMap((given) => findFiles(given, cwd, isRuleFile).filter((path) => !isTestFile(path))), cwd)
}

/**
 * Reads files of tests, `*.test.yml`: those below a directory, and those beside a rule file.
 *
 * @throws CommandError (66) for a path that cannot be read.
 */
export function readTestFiles(paths: readonly string[], cwd: string): RuleSource[] {
  return readSources(paths.flatMap((given) => findFiles(given, cwd, isTestFile).flatMap((path) => findTestFiles(path, cwd))), cwd)
}

/** The same paths, and for each file of tests the rules beside it. */
export function addTestedRules(paths: readonly string[], cwd: string): string[] {
  return paths.flatMap((path) => {
    if (!isTestFile(path)) return [path]
    const stem = path.replace(/\.test\.ya?ml$/i, '')
    return [path, ...[`${stem}.yml`, `${stem}.yaml`].filter((beside) => existsSync(resolve(cwd, beside)))]
  })
}

/** The files that one argument stands for: itself, or what a directory holds below it and is wanted by its name. */
export function findFiles(given: string, cwd: string, isWanted: (name: string) => boolean): string[] {
  const stats = statPath(given, resolve(cwd, given))
  return stats.isDirectory() ? walkDirectory(given, cwd, isWanted).sort(compareCodeUnits) : [given]
}

function isRuleFile(name: string): boolean {
  return /\.ya?ml$/i.test(name) && !isTestFile(name)
}

/** A file that holds tests, or else those beside a rule. */
function findTestFiles(path: string, cwd: string): string[] {
  if (isTestFile(path)) return [path]
  const stem = path.replace(/\.ya?ml$/i, '')
  return [`${stem}.test.yml`, `${stem}.test.yaml`].filter((beside) => existsSync(resolve(cwd, beside)))
}

function readSources(paths: readonly string[], cwd: string): RuleSource[] {
  const sources = new Map<string, RuleSource>()
  for (const path of paths) {
    const file = resolve(cwd, path)
    if (sources.has(file)) continue
    if (sources.size === limits.ruleFilesMax) {
      throw usageError(`the rules paths hold more than ${limits.ruleFilesMax.toLocaleString('en')} rule files`)
    }
    sources.set(file, { path, text: readText(path, file) })
  }
  return [...sources.values()]
}

function walkDirectory(root: string, cwd: string, isWanted: (name: string) => boolean): string[] {
  const files: string[] = []
  const visited = new Set<string>()
  const waiting = [root]
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    // A link to a directory above would lead round for ever.
    const real = realpathSync(resolve(cwd, directory))
    if (visited.has(real)) continue
    visited.add(real)
    for (const entry of readEntries(directory, real)) {
      const path = directory.endsWith('/') ? directory + entry.name : `${directory}/${entry.name}`
      const kind = getEntryKind(entry, path, resolve(cwd, path))
      if (kind === 'directory') waiting.push(path)
      if (kind === 'file' && isWanted(entry.name)) files.push(path)
    }
  }
  return files
}

function readEntries(path: string, real: string): Dirent[] {
  try {
    const entries = readdirSync(real, { withFileTypes: true }).filter(({ name }) => !name.startsWith('.'))
    return entries.sort((a, b) => compareCodeUnits(a.name, b.name))
  } catch (error) {
    throw unreadableError('rules path', path, error)
  }
}

function getEntryKind(entry: Dirent, path: string, file: string): 'directory' | 'file' | 'other' {
  let target: Dirent | Stats = entry
  if (entry.isSymbolicLink()) {
    try {
      target = statSync(file)
    } catch (error) {
      // A link that leads to nothing or round in a circle holds no rule.
      if (getErrorCode(error) === 'ENOENT' || getErrorCode(error) === 'ELOOP') return 'other'
      throw unreadableError('rules path', path, error)
    }
  }
  if (target.isDirectory()) return 'directory'
  return target.isFile() ? 'file' : 'other'
}

function statPath(path: string, file: string): Stats {
  try {
    return statSync(file)
  } catch (error) {
    throw unreadableError('rules path', path, error)
  }
}

function readText(path: string, file: string): string {
  try {
    return peek(file, limits.ruleFileBytesMax).toString('utf8')
  } catch (error) {
    throw unreadableError('rules path', path, error)
  }
}

function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
