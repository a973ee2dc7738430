import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { dirname, extname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A file of the built console, in each encoding that its build made. */
export type SiteFile = {
  readonly type: string
  readonly etag: string
  /** Whether its name holds a hash of its content, so that it never changes. */
  readonly isImmutable: boolean
  readonly bodies: ReadonlyMap<SiteEncoding, Uint8Array<ArrayBuffer>>
}

export type SiteEncoding = 'br' | 'gzip' | 'identity'

/** The built console: its files by path, such as `/files/main-1a2b3c.js`. It is small, so it is held in memory. */
export type Site = ReadonlyMap<string, SiteFile>

const types: { readonly [extension: string]: string } = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.yml': 'text/plain; charset=utf-8',
}

const encodings: readonly (readonly [extension: string, encoding: SiteEncoding])[] = [
  ['.br', 'br'],
  ['.gz', 'gzip'],
  ['', 'identity'],
]

/** The folder of the console that is installed beside the server. */
export function findSiteFolder(): string {
  return join(dirname(fileURLToPath(import.meta.resolve('@tripline/console/package.json'))), 'dist', 'site')
}

/** Reads a built console; undefined if the folder has none. */
export async function openSite(folder: string): Promise<Site | undefined> {
  const paths = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files: ReadonlyMap<string, Uint8Array<ArrayBuffer>> = new Map(
    await Promise.all(
      paths
        .filter((entry) => entry.isFile())
        .map(async (entry) => {
          const file = join(entry.parentPath, entry.name)
          return [
            `/${file
              .slice(folder.length + 1)
              .split(sep)
              .join('/')}`,
            new Uint8Array(await readFile(file)),
          ] as const
        }),
    ),
  )
  if (!files.has('/index.html')) return undefined
  return new Map(
    [...files].flatMap(([path, bytes]) => {
      const type = types[extname(path)]
      // Only what pages load; the manifest of the build is for tests.
      if (type === undefined || path === '/manifest.json') return []
      const bodies = new Map(
        encodings.flatMap(([extension, encoding]) => {
          const body = files.get(path + extension)
          return body === undefined ? [] : [[encoding, body] as const]
        }),
      )
      const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
      return [[path, { type, etag, isImmutable: path.startsWith('/files/'), bodies }] as const]
    }),
  )
}
