import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listFiles, readText, repositoryRoot } from '../workspace.ts'

/** The manifests of the workspace. */
export function listManifests(): readonly string[] {
  return ['package.json', ...listFiles('{packages/*,bench,site}/package.json')]
}

/** Writes a version into the manifests of the workspace, its lockfile and the changelog. @throws Error for a text that is no version. */
export function setVersion(version: string, date: Date): void {
  for (const path of listManifests()) rewrite(path, replaceVersion(readText(path), version))
  // What installs by the lockfile compares it with the manifests.
  rewrite('pnpm-lock.yaml', replaceLockedVersion(readText('pnpm-lock.yaml'), version))
  rewrite('CHANGELOG.md', headUnreleased(readText('CHANGELOG.md'), version, date))
}

/** A manifest with another version, also of the packages of the workspace that it needs; all have the same. */
export function replaceVersion(manifest: string, version: string): string {
  if (!/^\d+\.\d+\.\d+(?:-[\dA-Za-z.-]+)?$/.test(version)) throw new Error(`'${version}' is not a version such as 1.2.3 or 1.2.3-rc.1`)
  return manifest.replace(/(?<=^ {2}"version": ")[^"]+/m, version).replaceAll(/(?<="workspace:)\d[^"]*/g, version)
}

/** The lockfile with another version of the packages of the workspace. */
export function replaceLockedVersion(lockfile: string, version: string): string {
  return lockfile.replaceAll(/(?<=^ +specifier: workspace:)\d\S*/gm, version)
}

/** The changelog with what was unreleased under a version, below a new and empty part. @throws Error if the version is there already. */
export function headUnreleased(changelog: string, version: string, date: Date): string {
  if (changelog.includes(`\n## ${version} `)) throw new Error(`the changelog has ${version} already`)
  if (!changelog.includes('\n## Unreleased\n')) throw new Error("the changelog has no part '## Unreleased'")
  return changelog.replace('\n## Unreleased\n', `\n## Unreleased\n\n## ${version} (${date.toISOString().slice(0, 10)})\n`)
}

/** What the changelog has for a version; for one that is not in it, what is unreleased. */
export function findChanges(changelog: string, version: string): string {
  const parts = changelog.split(/^(?=## )/m)
  const part = parts.find((text) => text.startsWith(`## ${version} `)) ?? parts.find((text) => text.startsWith('## Unreleased'))
  return `${part?.trim() ?? ''}\n`
}

function rewrite(path: string, text: string): void {
  writeFileSync(join(repositoryRoot, path), text)
}
