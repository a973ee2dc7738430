import { createRequire } from 'node:module'

type Manifest = { readonly version: string; readonly engines: { readonly node: string } }

/** The version of this package: `0.1.0`. */
export function readCollectorVersion(): string {
  return readManifest().version
}

/** The oldest version of Node that runs this package: `24.12`. */
export function readNeededNode(): string {
  return readManifest().engines.node.replace('>=', '')
}

function readManifest(): Manifest {
  // Resolves the package by its name, which works from the sources and from the built package.
  return createRequire(import.meta.url)('@tripline/collector/package.json') as Manifest
}
