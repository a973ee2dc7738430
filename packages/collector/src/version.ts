import { createRequire } from 'node:module'

/** The version of this package: `0.1.0`. */
export function readCollectorVersion(): string {
  // Resolves the package by its name, which works from the sources and from the built package.
  const { version } = createRequire(import.meta.url)('@tripline/collector/package.json') as { readonly version: string }
  return version
}
