import { readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { RuleSource } from '@tripline/engine'

/**
 * Reads rule files: a file as it is, a directory with every `.yml` and `.yaml` below it, sorted by path; tests of
 * rules, `.test.yml`, are left out.
 * Links inside a directory are not followed.
 *
 * @throws the file system's error for a path that cannot be read.
 */
export async function readRuleFiles(paths: readonly string[]): Promise<RuleSource[]> {
  const files = new Set<string>()
  for (const path of paths) for (const file of await ruleFiles(path)) files.add(file)
  // One after the other: thousands of files at once would run into the limit of open files.
  const sources: RuleSource[] = []
  for (const file of files) sources.push({ path: file, text: await readFile(file, 'utf8') })
  return sources
}

async function ruleFiles(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && /(?<!\.test)\.ya?ml$/i.test(entry.name))
  return files.map((entry) => join(entry.parentPath, entry.name)).sort()
}
