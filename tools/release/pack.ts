// Packs every public package into tarballs, as they would be published:
//
//   npm run pack -- [FOLDER]
//
// FOLDER is `dist/packages` if it is not given; it is emptied first. Prints a line for each tarball. Publishes nothing.
//
// Packages are built in a copy of the repository, as from a clean clone: nothing that an earlier build left is packed, and no
// server or test that uses the builds of the repository itself misses them meanwhile.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { readText, repositoryRoot } from '../workspace.ts'

/** The manifest of a package, as far as packing reads it. */
export type Manifest = { readonly name: string; readonly version: string; readonly private?: boolean }

/** The version of pnpm that installs the workspace and packs it, as npx takes it. */
export const { packageManager } = JSON.parse(readText('package.json')) as { readonly packageManager: string }

/** A packed package. */
export type PackedPackage = Manifest & { readonly file: string }

/** The folders of the packages that users install, from the repository's root. */
export function listPublicPackages(): readonly string[] {
  const folders = readdirSync(join(repositoryRoot, 'packages')).map((folder) => `packages/${folder}`)
  return folders.filter((folder) => readManifest(folder).private !== true)
}

/**
 * Packs all public packages into a folder, which is emptied first. `prepack` of each builds it.
 *
 * @throws Error if a package cannot be built or packed; the output of the step is on stderr.
 */
export function packAll(folder: string): readonly PackedPackage[] {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const filters = listPublicPackages().map((path) => `--filter=./${path}`)
  const copy = mkdtempSync(join(tmpdir(), 'tripline-pack-'))
  try {
    copySources(copy)
    // One after the other: each builds what it needs of the others.
    const args = ['--yes', '--loglevel=error', packageManager, '--recursive', '--workspace-concurrency=1', ...filters]
    const pack = [...args, 'pack', '--pack-destination', folder]
    const { status, error } = spawnSync('npx', pack, { cwd: copy, stdio: ['ignore', 'ignore', 'inherit'] })
    if (error !== undefined) throw new Error(`npx could not be started: ${error.message}`, { cause: error })
    if (status !== 0) throw new Error(`the packages could not be packed: npx ${pack.join(' ')} ended with ${status}`)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
  return describePacked(folder)
}

/** The public packages with their tarballs in a folder that `packAll` filled. */
export function describePacked(folder: string): readonly PackedPackage[] {
  return listPublicPackages().map(readManifest).map((manifest) => ({ ...manifest, file: join(folder, getTarballName(manifest)) }))
}

/** Folders that packages are built of, beside the files at the root. */
const sourceFolders = new Set(['fixtures', 'packages', 'tools'])
/** What builds and tests leave in them, and take away while this reads. */
const leftByBuilds = /^(?:dist|coverage|\.vite.*)$/

/** Copies the sources, with the links that lead each package to what it needs. */
function copySources(copy: string): void {
  for (const entry of readdirSync(repositoryRoot, { withFileTypes: true })) {
    if (!entry.isFile() && !sourceFolders.has(entry.name)) continue
    const filter = (path: string): boolean => !leftByBuilds.test(basename(path))
    cpSync(join(repositoryRoot, entry.name), join(copy, entry.name), { recursive: true, verbatimSymlinks: true, filter })
  }
  symlinkSync(join(repositoryRoot, 'node_modules'), join(copy, 'node_modules'))
}

/** `tripline-engine-0.1.0.tgz` for version 0.1.0 of `@tripline/engine`: how npm and pnpm name tarballs. */
export function getTarballName({ name, version }: Manifest): string {
  return `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readText(`${folder}/package.json`)) as Manifest
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? join(repositoryRoot, 'dist/packages'))
  for (const { name, version, file } of packAll(folder)) process.stdout.write(`${name} ${version} ${file}\n`)
}
