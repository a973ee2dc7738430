// A registry on loopback that holds packed packages and leads to the configured registry for all others, so that a test
// installs what is not published yet as a user would: `npm install tripline --registry http://127.0.0.1:PORT`.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename } from 'node:path'
import type { PackedPackage } from './pack.ts'

/** A running registry. */
export type PackageRegistry = { readonly url: string; readonly close: () => Promise<void> }

/** Serves packed packages; redirects every other request to `upstream`, the URL of a registry. */
export async function startPackageRegistry(packages: readonly PackedPackage[], upstream: string): Promise<PackageRegistry> {
  const files = new Map(packages.map(({ file }) => [`/-/${basename(file)}`, file]))
  const documents = new Map<string, string>()
  const server = createServer(({ url: path = '/' }, response) => {
    const file = files.get(path)
    const document = documents.get(decodeURIComponent(path.slice(1)))
    if (file !== undefined) createReadStream(file).pipe(response)
    else if (document !== undefined) response.setHeader('content-type', 'application/json').end(document)
    else response.writeHead(302, { location: new URL(path.slice(1), upstream).href }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  for (const { name, version, file } of packages) {
    const dist = { tarball: `${url}-/${basename(file)}`, integrity: getIntegrity(file) }
    const versions = { [version]: { ...readPackedManifest(file), dist } }
    documents.set(name, JSON.stringify({ name, 'dist-tags': { latest: version }, versions }))
  }
  const close = (): Promise<void> => new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)))
    server.closeAllConnections()
  })
  return { url, close }
}

/** The manifest inside a tarball. */
export function readPackedManifest(file: string): { readonly [key: string]: unknown } {
  const text = execFileSync('tar', ['-xzOf', file, 'package/package.json'], { encoding: 'utf8' })
  return JSON.parse(text) as { readonly [key: string]: unknown }
}

type SourceMap = { readonly sources: readonly string[]; readonly sourcesContent?: readonly (string | null)[] }

/** The source maps of a tarball. */
export function readPackedMaps(file: string): readonly SourceMap[] {
  if (!listPackedFiles(file).some((path) => path.endsWith('.js.map'))) return []
  // One after the other, by one process. Within a map, a quotation mark of a source has a backslash before it.
  const text = execFileSync('tar', ['-xzOf', file, '--wildcards', '*.js.map'], { encoding: 'utf8', maxBuffer: 268_435_456 })
  return text.split(/(?=\{"version":)/).map((map) => JSON.parse(map) as SourceMap)
}

/** The files of a tarball, below `package/`. */
export function listPackedFiles(file: string): readonly string[] {
  const lines = execFileSync('tar', ['-tzf', file], { encoding: 'utf8' }).trim().split('\n')
  return lines.map((line) => line.replace(/^package\//, ''))
}

function getIntegrity(file: string): string {
  return `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
}
