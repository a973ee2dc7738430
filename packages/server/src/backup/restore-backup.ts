import { getErrorCode } from '@tripline/common/error-code'
import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BackupError } from './blob-store.ts'
import type { ManifestFile } from './manifest.ts'
import type { Repository } from './repository.ts'

/** What a restore wrote. */
type RestoreReport = { readonly id: string; readonly takenAt: number; readonly fileCount: number; readonly byteCount: number }

/**
 * Restores a backup into a directory that does not exist or is empty. Its files are written beside it and renamed at the
 * end: a restore that ends early leaves no directory that looks whole.
 *
 * @throws BackupError for a directory that holds something, and for a damaged backup.
 */
export async function restoreBackup(repository: Repository, id: string, target: string): Promise<RestoreReport> {
  const { takenAt, files } = await repository.readManifest(id)
  await checkEmpty(target)
  const draft = `${target}.restoring`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true, mode: 0o700 })
  for (const folder of new Set(files.map(({ path }) => dirname(path)))) await mkdir(join(draft, folder), { recursive: true, mode: 0o700 })
  let byteCount = 0
  for (const file of files) {
    await writeFile(repository, file, join(draft, file.path))
    byteCount += file.size
  }
  for (const folder of new Set(['.', ...files.map(({ path }) => dirname(path))])) await syncFolder(join(draft, folder))
  await rmdir(target).catch((error: unknown) => {
    if (getErrorCode(error) !== 'ENOENT') throw error
  })
  await rename(draft, target)
  await syncFolder(dirname(target))
  return { id, takenAt, fileCount: files.length, byteCount }
}

async function writeFile(repository: Repository, { path, size, chunks }: ManifestFile, to: string): Promise<void> {
  const file = await open(to, 'wx', 0o600)
  try {
    let written = 0
    for (const hash of chunks) {
      const bytes = await repository.readChunk(hash).catch((error: unknown) => {
        throw error instanceof BackupError ? new BackupError(`'${path}' cannot be restored: ${error.message}`, { cause: error }) : error
      })
      await file.writeFile(bytes)
      written += bytes.length
    }
    if (written !== size) throw new BackupError(`'${path}' cannot be restored: its chunks have ${written} bytes, and it has ${size}`)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function checkEmpty(target: string): Promise<void> {
  const names = await readdir(target).catch((error: unknown) => {
    if (getErrorCode(error) === 'ENOENT') return []
    throw error
  })
  if (names.length > 0) throw new BackupError(`'${target}' is not empty; restore into a new directory`)
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
