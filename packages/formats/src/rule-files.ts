import type { RuleSource } from '@tripline/engine'
import { readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Opening thousands of files at once would exceed the limit of open files. */
const filesAtOnceMax = 64

/**
 * Reads rule files: a file as it is, a directory with every `.yml` and `.yaml` below it, sorted by path, without rule
 * tests (`.test.yml`). Symbolic links inside a directory are not followed.
 *
 * @throws the file system's error for a path that cannot be read.
 */
export async function readRuleFiles(paths: readonly string[]): Promise<RuleSource[]> {
  const found = new Set<string>()
  for (const path of paths) for (const file of await ruleFiles(path)) found.add(file)
  const files = [...found]
  const sources: RuleSource[] = []
  for (let start = 0; start < files.length; start += filesAtOnceMax) {
    const together = files.slice(start, start + filesAtOnceMax)
    sources.push(...await Promise.all(together.map(async (path) => ({ path, text: await readFile(path, 'utf8') }))))
  }
  return sources
}

async function ruleFiles(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && /(?<!\.test)\.ya?ml$/i.test(entry.name))
  return files.map((entry) => join(entry.parentPath, entry.name)).sort()
}
