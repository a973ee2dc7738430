import { getErrorCode } from '@tripline/common/error-code'
import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { isJsonObject, tryParseJson } from '@tripline/common/json'
import {
  closeSync, fsyncSync, mkdirSync, openSync, readFileSync, readdirSync, readlinkSync, renameSync, rmSync, symlinkSync, writeSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { unreadableError, unwritableError, usageError } from '../framework/command-error.ts'
import { findFiles } from '../input/find-files.ts'
import { hashCollection, hashFiles } from './collection.ts'
import type { Collection, CollectionFiles, CollectionOrigin } from './collection.ts'

/** Releases are kept in a folder whose name begins with a dot, which commands that read rules leave out. */
const releasesName = '.releases'
/** The link that commands follow: it leads to the release that is live. */
const liveName = 'live'
const manifestName = 'release.json'

/** A release as it was written. */
export type PinnedRelease = {
  readonly origin: CollectionOrigin
  readonly sha256: string
  readonly hashes: ReadonlyMap<string, string>
  readonly files: CollectionFiles
  /** Files that differ from what was written: changed, added or removed since. */
  readonly changedByHand: readonly string[]
}

/**
 * Reads the release that is live; undefined before the first.
 *
 * @throws ExitError (2) for a folder that holds something else, (66) when it cannot be read.
 */
export function readLiveRelease(folder: string, cwd: string): PinnedRelease | undefined {
  const root = resolve(cwd, folder)
  const names = listNames(folder, root)
  if (names.length === 0) return undefined
  if (!names.includes(releasesName)) {
    throw usageError(`folder '${folder}' holds files that 'rules update' did not write; name a new or empty folder`)
  }
  const id = readLink(join(root, liveName))
  if (id === undefined) return undefined
  const release = join(root, releasesName, id)
  const { origin, sha256, hashes } = readManifest(folder, join(release, manifestName))
  const files = new Map(findFiles(release, { cwd, thing: 'rules path', isWanted: (name) => name !== manifestName })
    .map((path) => [path.slice(release.length + 1), readFileSync(path)]))
  const now = hashFiles(files)
  const changedByHand = [...new Set([...hashes.keys(), ...now.keys()])].filter((path) => hashes.get(path) !== now.get(path)).sort()
  return { origin, sha256, hashes, files, changedByHand }
}

function listNames(folder: string, root: string): string[] {
  try {
    return readdirSync(root)
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return []
    throw unreadableError('folder', folder, error)
  }
}

function readLink(path: string): string | undefined {
  try {
    return basename(readlinkSync(path))
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return undefined
    throw unreadableError('link', path, error)
  }
}

function readManifest(folder: string, path: string): Pick<PinnedRelease, 'origin' | 'sha256' | 'hashes'> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw unreadableError('release', path, error)
  }
  const parsed = tryParseJson(text)
  const body = 'value' in parsed && isJsonObject(parsed.value) ? parsed.value : {}
  const { files, sha256, source, kind, release, commit, archive_sha256: archiveSha256 } = body
  if (!isJsonObject(files) || typeof sha256 !== 'string') {
    throw new ExitError(exitCodes.unreadable, `folder '${folder}' has a release without a valid ${manifestName}: '${path}'`)
  }
  const origin = { source, kind, name: release ?? undefined, commit: commit ?? undefined, archiveSha256: archiveSha256 ?? undefined }
  return { origin: origin as CollectionOrigin, sha256, hashes: new Map(Object.entries(files) as [string, string][]) }
}

/**
 * Makes a release live: writes it whole beside the others, then renames the link, so that a reader finds the old release or the
 * new one. Keeps the release that was live before.
 *
 * @throws ExitError (74) when it cannot be written; the release that was live stays so.
 */
export function makeLive(folder: string, { origin, files }: Collection, cwd: string): void {
  const root = resolve(cwd, folder)
  const hashes = hashFiles(files)
  const sha256 = hashCollection(hashes)
  const id = sha256.slice(0, 16)
  const releases = join(root, releasesName)
  try {
    const before = readLink(join(root, liveName))
    const staged = join(releases, `.new-${process.pid}`)
    rmSync(staged, { recursive: true, force: true })
    for (const [path, bytes] of files) writeSynced(join(staged, path), bytes)
    const { source, kind, name: release = null, commit = null, archiveSha256: archive = null } = origin
    const body = { source, kind, release, commit, archive_sha256: archive, sha256, files: Object.fromEntries(hashes) }
    writeSynced(join(staged, manifestName), Buffer.from(`${JSON.stringify(body, undefined, 2)}\n`))
    // The same release with changes by hand gives way, and is kept as the one before.
    const aside = `${id}-changed`
    rmSync(join(releases, before === id ? aside : id), { recursive: true, force: true })
    if (before === id) renameSync(join(releases, id), join(releases, aside))
    renameSync(staged, join(releases, id))
    const link = join(root, `.${liveName}-${process.pid}`)
    rmSync(link, { force: true })
    symlinkSync(join(releasesName, id), link, 'junction')
    renameSync(link, join(root, liveName))
    syncFolder(root)
    for (const name of readdirSync(releases)) {
      if (name !== id && name !== (before === id ? aside : before)) rmSync(join(releases, name), { recursive: true, force: true })
    }
  } catch (error) {
    throw error instanceof ExitError ? error : unwritableError(error)
  }
}

function writeSynced(path: string, bytes: Buffer): void {
  mkdirSync(dirname(path), { recursive: true })
  const file = openSync(path, 'wx', 0o644)
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
