// A program as a tree of files: its package and what that needs, installed from packed packages as npm does, without what only
// developers read. The container and the executable are made of it.
import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { PackedPackage } from './pack.ts'
import { startPackageRegistry } from './package-registry.ts'
import type { ReleasedProgram } from './programs.ts'
import { runNpm } from './run-npm.ts'

/** Files of packages that no program reads. Licences stay. */
const readByDevelopers = /\.(?:map|d\.[cm]?ts|ts|markdown|ttf\.png)$|font-family\.png$|\.package-lock\.json$|(?<!LICENSE)\.md$/

/** Installs a program of these packages in a folder, which is emptied first; others come from the configured registry. */
export async function buildProgramTree({ packageName }: ReleasedProgram, packages: readonly PackedPackage[], folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n')
  const upstream = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()
  const registry = await startPackageRegistry(packages, upstream)
  try {
    const args = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error', '--omit=dev', '--ignore-scripts', '--no-bin-links']
    await runNpm(['install', ...args, '--registry', registry.url, packageName], folder)
  } finally {
    await registry.close()
  }
  for (const file of listTreeFiles(folder)) if (readByDevelopers.test(file)) unlinkSync(join(folder, file))
  for (const file of findUnusedFonts(folder)) unlinkSync(join(folder, file))
}

/** The fonts that none of our modules names: the package of the font has seven weights, of which reports use two. */
function findUnusedFonts(folder: string): readonly string[] {
  const files = listTreeFiles(folder)
  const own = files.filter((path) => /(?:^|\/)node_modules\/(?:tripline|@tripline\/[^/]+)\/dist\/.*\.js$/.test(path))
  const texts = own.map((path) => readFileSync(join(folder, path), 'utf8'))
  return files.filter((path) => path.endsWith('.ttf') && !texts.some((text) => text.includes(basename(path))))
}

/** The files of a tree by their paths in it, sorted. */
export function listTreeFiles(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  return files.sort()
}

/** Bytes of the files of a tree. */
export function measureTree(folder: string): number {
  return listTreeFiles(folder).reduce((sum, file) => sum + lstatSync(join(folder, file)).size, 0)
}
