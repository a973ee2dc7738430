import { MovedOnError } from '@tripline/storage/log/held-log'
import { randomBytes } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { BackupError } from './blob-store.ts'
import { FileVanishedError, freezeDataDir } from './freeze-data-dir.ts'
import type { FrozenDataDir, SourceFile } from './freeze-data-dir.ts'
import { limits } from './limits.ts'
import type { Manifest, ManifestFile } from './manifest.ts'
import type { Repository } from './repository.ts'

/** What a backup did. */
type BackupReport = {
  readonly id: string
  readonly takenAt: number
  readonly fileCount: number
  /** Bytes of all its files, and those that were not in the store yet, as they were sent. */
  readonly byteCount: number
  readonly sentBytes: number
  /** Backups that were removed, because newer ones are enough. */
  readonly removedCount: number
}

type BackupOptions = {
  readonly dataDir: string
  /** How many backups stay, this one included; all without it. */
  readonly keep?: number | undefined
  readonly now: () => number
  readonly signal?: AbortSignal
  /** Called before so many bytes are read; it may wait, so that others can use the disk. */
  readonly pace?: (byteCount: number) => Promise<void>
}

/**
 * Backs a data directory up, beside a running server or without one. Only what is not in the repository yet is sent, so a
 * backup that was interrupted continues when it is made again.
 *
 * @throws BackupError where data directory or repository cannot be used.
 */
export async function createBackup(repository: Repository, options: BackupOptions): Promise<BackupReport> {
  for (let attempt = 1; ; attempt++) {
    const frozen = await freezeDataDir(options.dataDir, options.now).catch((error: unknown) => {
      if (error instanceof MovedOnError) return undefined
      throw error
    })
    try {
      if (frozen !== undefined) return await storeFiles(repository, frozen, options)
    } catch (error) {
      if (!(error instanceof FileVanishedError)) throw error
    } finally {
      await frozen?.close()
    }
    if (attempt === limits.backup.freezeAttemptsMax) {
      throw new BackupError('files of the data directory come and go faster than they can be read; make the backup when less is going on')
    }
  }
}

async function storeFiles(repository: Repository, frozen: FrozenDataDir, options: BackupOptions): Promise<BackupReport> {
  const { signal, now, keep } = options
  let sentBytes = 0
  const files: ManifestFile[] = []
  for (const file of frozen.files) {
    const stored = await storeFile(repository, file, options)
    sentBytes += stored.sentBytes
    files.push(stored.file)
    await file.close()
  }
  signal?.throwIfAborted()
  const manifest: Manifest = { id: createId(frozen.takenAt), takenAt: frozen.takenAt, finishedAt: now(), files }
  await repository.addManifest(manifest)
  return {
    id: manifest.id, takenAt: frozen.takenAt, fileCount: files.length, sentBytes,
    byteCount: files.reduce((sum, { size }) => sum + size, 0),
    removedCount: keep === undefined ? 0 : await removeOld(repository, keep),
  }
}

async function storeFile(
  repository: Repository, file: SourceFile, { signal, pace = () => nextTurn() }: BackupOptions,
): Promise<{ readonly file: ManifestFile; readonly sentBytes: number }> {
  const { chunkBytesMax } = limits.backup
  const chunks: string[] = []
  let sentBytes = 0
  for (let position = 0; position < file.size; position += chunkBytesMax) {
    signal?.throwIfAborted()
    const length = Math.min(chunkBytesMax, file.size - position)
    await pace(length)
    const bytes = await readFully(file, position, length)
    const added = await repository.addChunk(bytes)
    chunks.push(added.hash)
    sentBytes += added.sentBytes
  }
  const { path, size } = file
  return { file: { path, size, chunks }, sentBytes }
}

async function readFully(file: SourceFile, position: number, length: number): Promise<Buffer> {
  const parts: Buffer[] = []
  for (let got = 0; got < length;) {
    const part = await file.read(position + got, length - got)
    if (part.length === 0) throw new FileVanishedError(`'${file.path}' became shorter`)
    parts.push(part)
    got += part.length
  }
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
}

/** An id that sorts by time and names it: `20261123-213300-1a2b3c4d`. */
function createId(takenAt: number): string {
  const [date = '', time = ''] = new Date(takenAt).toISOString().replaceAll(/[-:]/g, '').split('T')
  return `${date}-${time.slice(0, 6)}-${randomBytes(4).toString('hex')}`
}

/** Removes the oldest backups and what only they needed; returns how many. */
async function removeOld(repository: Repository, keep: number): Promise<number> {
  const ids = await repository.listIds()
  const old = ids.slice(0, Math.max(0, ids.length - keep))
  if (old.length === 0) return 0
  for (const id of old) await repository.removeManifest(id)
  await repository.sweep()
  return old.length
}
