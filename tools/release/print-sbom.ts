import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listTreeFiles } from './program-tree.ts'
import type { ReleasedProgram } from './programs.ts'

type InstalledManifest = { readonly name?: string; readonly version?: string; readonly license?: string }

/** Packages that state their licence in a file alone, which was read. */
const licensesOfFiles: ReadonlyMap<string, string> = new Map([['png-js@2.0.0', 'MIT']])

/** Prints the software bill of materials of a program tree, in the JSON of CycloneDX 1.6: every package in it, with its licence. */
export function printSbom({ name, packageName }: ReleasedProgram, tree: string, version: string): string {
  const manifests = listTreeFiles(tree).filter((path) => /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/@]+\/package\.json$/.test(path))
    .map((path) => JSON.parse(readFileSync(join(tree, path), 'utf8')) as InstalledManifest)
  return `${JSON.stringify({
    bomFormat: 'CycloneDX', specVersion: '1.6', version: 1,
    metadata: { component: { type: 'application', ...describe({ name, version, license: 'Apache-2.0' }) } },
    components: manifests.filter((one) => one.name !== packageName).map((one) => ({ type: 'library', ...describe(one) })),
  }, undefined, 2)}\n`
}

function describe({ name = '', version = '', license }: InstalledManifest): object {
  return { name, version, purl: toPurl(name, version), licenses: toLicenses(license ?? licensesOfFiles.get(`${name}@${version}`)) }
}

/** The package URL of an npm package; the sign of a scope is escaped. */
function toPurl(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

function toLicenses(license: string | undefined): readonly object[] {
  if (license === undefined) return []
  return [/ (?:OR|AND) /.test(license) ? { expression: license } : { license: { id: license } }]
}
