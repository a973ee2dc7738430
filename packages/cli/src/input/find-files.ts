import { getErrorCode } from '@tripline/common/error-code'
import { readdirSync, realpathSync, statSync } from 'node:fs'
import type { Dirent, Stats } from 'node:fs'
import { resolve } from 'node:path'
import { unreadableError } from '../framework/command-error.ts'

/** What to look for below a directory; `thing` names a path in errors. */
type FileSearch = { readonly cwd: string; readonly thing: string; readonly isWanted: (name: string) => boolean }

/** The files that one argument stands for: itself, or the wanted ones below a directory, sorted by path. */
export function findFiles(given: string, search: FileSearch): string[] {
  const stats = statPath(given, resolve(search.cwd, given), search.thing)
  return stats.isDirectory() ? walkDirectory(given, search).sort(compareCodeUnits) : [given]
}

function walkDirectory(root: string, { cwd, thing, isWanted }: FileSearch): string[] {
  const files: string[] = []
  const visited = new Set<string>()
  const waiting = [root]
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    // A link to a directory above would lead round for ever.
    const real = realpathSync(resolve(cwd, directory))
    if (visited.has(real)) continue
    visited.add(real)
    for (const entry of readEntries(directory, real, thing)) {
      const path = directory.endsWith('/') ? directory + entry.name : `${directory}/${entry.name}`
      const kind = getEntryKind(entry, resolve(cwd, path), { path, thing })
      if (kind === 'directory') waiting.push(path)
      if (kind === 'file' && isWanted(entry.name)) files.push(path)
    }
  }
  return files
}

function readEntries(path: string, real: string, thing: string): Dirent[] {
  try {
    const entries = readdirSync(real, { withFileTypes: true }).filter(({ name }) => !name.startsWith('.'))
    return entries.sort((a, b) => compareCodeUnits(a.name, b.name))
  } catch (error) {
    throw unreadableError(thing, path, error)
  }
}

function getEntryKind(
  entry: Dirent, file: string, { path, thing }: { readonly path: string; readonly thing: string },
): 'directory' | 'file' | 'other' {
  let target: Dirent | Stats = entry
  if (entry.isSymbolicLink()) {
    try {
      target = statSync(file)
    } catch (error) {
      // A link that leads to nothing or round in a circle holds nothing.
      if (getErrorCode(error) === 'ENOENT' || getErrorCode(error) === 'ELOOP') return 'other'
      throw unreadableError(thing, path, error)
    }
  }
  if (target.isDirectory()) return 'directory'
  return target.isFile() ? 'file' : 'other'
}

function statPath(path: string, file: string, thing: string): Stats {
  try {
    return statSync(file)
  } catch (error) {
    throw unreadableError(thing, path, error)
  }
}

function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
