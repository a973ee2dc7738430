// A program as a tree of files: its package and what that needs, installed from packed packages as npm does, without what only
// developers read. The container and the executable are made of it.
import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fontPackage, isForDevelopers, listUnusedFonts } from '../unused-files.mjs'
import type { PackedPackage } from './pack.ts'
import { startPackageRegistry } from './package-registry.ts'
import type { ReleasedProgram } from './programs.ts'
import { runNpm } from './run-npm.ts'

/** Installs a program of these packages in a folder, which is emptied first; others come from the configured registry. */
export async function buildProgramTree(
  { packageName }: ReleasedProgram, packages: readonly PackedPackage[], folder: string,
): Promise<void> {
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
  for (const file of listTreeFiles(folder)) {
    if (isForDevelopers(file) || file.endsWith('.package-lock.json')) unlinkSync(join(folder, file))
  }
  removeUnusedFonts(folder)
}

/** Removes the fonts that no module of ours names, where the program has the package of the fonts. */
function removeUnusedFonts(folder: string): void {
  const fonts = join(folder, 'node_modules', fontPackage)
  if (!existsSync(fonts)) return
  const own = listTreeFiles(folder).filter((path) => /(?:^|\/)node_modules\/(?:tripline|@tripline\/[^/]+)\/dist\/.*\.js$/.test(path))
  for (const name of listUnusedFonts(fonts, own.map((path) => readFileSync(join(folder, path), 'utf8')))) unlinkSync(join(fonts, name))
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
