import { createHash } from 'node:crypto'

/** The files of a rule collection: what they hold, by path with `/`. */
export type CollectionFiles = ReadonlyMap<string, Buffer>

/** Where a release of a collection comes from. */
export type CollectionOrigin = {
  /** The path as it was given. */
  readonly source: string
  readonly kind: 'folder' | 'archive' | 'git'
  /** The tag, branch or commit that was asked for; undefined for a folder or an archive, unless a label was given. */
  readonly name: string | undefined
  /** The commit of a git mirror. */
  readonly commit: string | undefined
  /** The SHA-256 of an archive. */
  readonly archiveSha256: string | undefined
}

/** A release of a collection that was read. */
export type Collection = { readonly origin: CollectionOrigin; readonly files: CollectionFiles }

/** Whether a collection keeps a file: rules, their tests, and the licence that they come under. Names with a dot are left out. */
export function isKeptFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (path.split('/').some((part) => part.startsWith('.') && part !== '.' && part !== '..')) return false
  return /\.ya?ml$/i.test(name) || /^(?:licen[cs]e|copying|notice)(?:\..*)?$/i.test(name)
}

/** Computes the SHA-256 of each file. */
export function hashFiles(files: CollectionFiles): ReadonlyMap<string, string> {
  return new Map([...files].map(([path, bytes]) => [path, sha256(bytes)]))
}

/** The hash of a whole collection: that of the lines that `sha256sum` prints of its files, in the order of their paths. */
export function hashCollection(hashes: ReadonlyMap<string, string>): string {
  const paths = [...hashes.keys()].sort((a, b) => (a < b ? -1 : 1))
  return sha256(Buffer.from(paths.map((path) => `${hashes.get(path)}  ${path}\n`).join('')))
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
