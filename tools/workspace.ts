import { globSync, readFileSync } from 'node:fs'
import type { Dirent } from 'node:fs'
import { join } from 'node:path'

/** The folder that holds the workspace. */
export const repositoryRoot = join(import.meta.dirname, '..')

const foldersNotOurs = new Set(['node_modules', 'dist', 'coverage', '.git', '.tools'])

/**
 * Lists the project's own files that match a glob, as paths from the repository's root, sorted.
 * Reads the folder and not git's index, so that a file counts before it is added.
 */
export function listFiles(glob: string): string[] {
  const isNotOurs = (entry: Dirent): boolean => foldersNotOurs.has(entry.name)
  return globSync(glob, { cwd: repositoryRoot, exclude: isNotOurs, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(repositoryRoot.length + 1))
    .sort()
}

/** Reads one file by its path from the repository's root. */
export function readText(path: string): string {
  return readFileSync(join(repositoryRoot, path), 'utf8')
}
