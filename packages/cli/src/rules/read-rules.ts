import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { RuleSource } from '@tripline/engine'
import { isTestFile } from '@tripline/rule-tools'
import { usageError } from '../framework/command-error.ts'
import { findFiles } from '../input/find-files.ts'
import { readTextFile } from '../input/read-text-file.ts'
import { limits } from '../limits.ts'

/**
 * Reads rule files. A directory gives every `*.yml` and `*.yaml` below it, sorted by path; names that begin
 * with a dot are left out, and so are files of tests; symbolic links are followed, each directory once. A file
 * that is reached twice is read once. The `path` of a source is the argument as given, joined with what lies below it.
 *
 * Reading is synchronous: nothing else can run before the rules are there, and SigmaHQ's 3,757 files take
 * a tenth of a second.
 *
 * @throws ExitError (66) for a path that cannot be read.
 */
export function readRules(paths: readonly string[], cwd: string): RuleSource[] {
  // `rules/*.yml` names files of tests as well.
  return readSources(paths.flatMap((given) => findRuleFiles(given, cwd, isRuleFile).filter((path) => !isTestFile(path))), cwd)
}

/**
 * Reads files of tests, `*.test.yml`: those below a directory, and those beside a rule file.
 *
 * @throws ExitError (66) for a path that cannot be read.
 */
export function readTestFiles(paths: readonly string[], cwd: string): RuleSource[] {
  return readSources(paths.flatMap((given) => findRuleFiles(given, cwd, isTestFile).flatMap((path) => findTestFiles(path, cwd))), cwd)
}

/** The same paths, and for each file of tests the rules beside it. */
export function addTestedRules(paths: readonly string[], cwd: string): string[] {
  return paths.flatMap((path) => {
    if (!isTestFile(path)) return [path]
    const stem = path.replace(/\.test\.ya?ml$/i, '')
    return [path, ...[`${stem}.yml`, `${stem}.yaml`].filter((beside) => existsSync(resolve(cwd, beside)))]
  })
}

function findRuleFiles(given: string, cwd: string, isWanted: (name: string) => boolean): string[] {
  // A file that is named is read whatever its name is, but a log would be read as YAML to its end, and the events awaited on stdin.
  const isNamedAsEvents = /\.(?:ndjson|jsonl|evtx|csv|tsv|log)(?:\.(?:gz|zst|bz2|xz))?$/i.test(given)
  if (isNamedAsEvents && statSync(resolve(cwd, given), { throwIfNoEntry: false })?.isFile() === true) {
    throw usageError(`rules path '${given}' is named like a file of events; rules are *.yml files, and --input names events`)
  }
  return findFiles(given, { cwd, thing: 'rules path', isWanted })
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
    sources.set(file, { path, text: readTextFile(path, { cwd, thing: 'rules path', bytesMax: limits.ruleFileBytesMax }) })
  }
  return [...sources.values()]
}
