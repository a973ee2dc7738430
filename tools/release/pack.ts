// Packs every public package into tarballs, as they would be published:
//
//   node tools/release/pack.ts [FOLDER]
//
// FOLDER is `dist/packages` if it is not given; it is emptied first. Prints a line for each tarball. Publishes nothing.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
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
  return listPublicPackages().map((path) => {
    const manifest = readManifest(path)
    const args = ['--yes', '--loglevel=error', packageManager, 'pack', '--pack-destination', folder]
    const { status, error } = spawnSync('npx', args, { cwd: join(repositoryRoot, path), stdio: ['ignore', 'ignore', 'inherit'] })
    if (error !== undefined) throw new Error(`npx could not be started: ${error.message}`, { cause: error })
    if (status !== 0) throw new Error(`${manifest.name} could not be packed: npx ${args.join(' ')} ended with ${status}`)
    return { ...manifest, file: join(folder, getTarballName(manifest)) }
  })
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
