import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { isAtLeastVersion } from '@tripline/common/node-version'
import { createRequire } from 'node:module'

/**
 * Checks that a Node can load the server: the lowest version is in the manifest of `@tripline/server`.
 *
 * @throws ExitError (78) if it is too old; the sentence says which version it takes and what runs without it.
 */
export function checkNodeVersion(command: string, version: string): void {
  const needed = readNeededVersion()
  if (isAtLeastVersion(version, needed)) return
  throw new ExitError(exitCodes.configuration,
    `'tripline ${command}' needs Node ${needed} or newer, and this is ${version}: install a newer Node; `
      + 'detect, explain and rules run on this one')
}

function readNeededVersion(): string {
  const manifest = createRequire(import.meta.url)('@tripline/server/package.json') as { readonly engines: { readonly node: string } }
  return manifest.engines.node.replace('>=', '')
}
