import { isJsonObject, tryParseJson } from '@tripline/common/json'

/** A backup: which chunks make which files of a data directory. */
export type Manifest = {
  readonly id: string
  /** When the state was read, in milliseconds: changes after that are not in the backup. */
  readonly takenAt: number
  readonly finishedAt: number
  readonly files: readonly ManifestFile[]
}

/** A file of a backup. */
export type ManifestFile = { readonly path: string; readonly size: number; readonly chunks: readonly string[] }

export const manifestFolder = 'backups/'
export const chunkFolder = 'chunks/'

/** The name of the object that holds a chunk. */
export function getChunkName(hash: string): string {
  return `${chunkFolder}${hash.slice(0, 2)}/${hash}`
}

/** The name of the object that holds a manifest. */
export function getManifestName(id: string): string {
  return `${manifestFolder}${id}`
}

export function printManifest(manifest: Manifest): Buffer {
  return Buffer.from(JSON.stringify(manifest), 'utf8')
}

/** Parses a manifest; undefined for bytes that are none. */
export function parseManifest(bytes: Buffer): Manifest | undefined {
  const parsed = tryParseJson(bytes.toString('utf8'))
  if (!('value' in parsed) || !isJsonObject(parsed.value)) return undefined
  const { id, takenAt, finishedAt, files } = parsed.value
  if (typeof id !== 'string' || typeof takenAt !== 'number' || typeof finishedAt !== 'number' || !Array.isArray(files)) return undefined
  const read = files.map(readFile).filter((file) => file !== undefined)
  return read.length === files.length ? { id, takenAt, finishedAt, files: read } : undefined
}

function readFile(file: unknown): ManifestFile | undefined {
  if (!isJsonObject(file)) return undefined
  const { path, size, chunks } = file
  if (typeof path !== 'string' || !isSafePath(path) || typeof size !== 'number' || !Array.isArray(chunks)) return undefined
  const hashes = chunks.filter((hash): hash is string => typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash))
  return hashes.length === chunks.length ? { path, size, chunks: hashes } : undefined
}

/** Whether a path stays below the folder that it is written to. */
function isSafePath(path: string): boolean {
  return !path.startsWith('/') && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}
