// Packed packages for tests: several test files, in processes of their own, pack once and share the tarballs.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { listFiles, repositoryRoot } from '../workspace.ts'
import { describePacked, packAll } from './pack.ts'
import type { PackedPackage } from './pack.ts'

/** Longer than packing takes on a busy machine. */
const lockWaitMs = 900_000
/** Longer than a run of all tests. */
const keptMs = 7_200_000

/** The packages of the sources as they are now, packed as `packAll` does unless another process has. */
export function packOnce(): readonly PackedPackage[] {
  const shared = join(repositoryRoot, '.tools/packed')
  const folder = join(shared, hashSources())
  if (existsSync(folder)) return describePacked(folder)
  mkdirSync(shared, { recursive: true })
  // A lock of SQLite ends with the process that holds it.
  const lock = new DatabaseSync(join(shared, 'lock'), { timeout: lockWaitMs })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    if (existsSync(folder)) return describePacked(folder)
    removeOld(shared)
    packAll(`${folder}.draft`)
    renameSync(`${folder}.draft`, folder)
    return describePacked(folder)
  } finally {
    lock.close()
  }
}

/** Removes what was packed of earlier sources, unless a run that began with them may still use it. */
function removeOld(shared: string): void {
  for (const name of readdirSync(shared).filter((entry) => !entry.startsWith('lock'))) {
    const path = join(shared, name)
    if (Date.now() - statSync(path).mtimeMs > keptMs) rmSync(path, { recursive: true })
  }
}

/** A checksum of all that packages are built of. */
function hashSources(): string {
  const hash = createHash('sha256')
  const files = ['*.{json,yaml}', 'LICENSE', 'packages/**/*', 'fixtures/{rules,events}/**/*', 'tools/release/*.ts'].flatMap(listFiles)
  for (const path of files) hash.update(`${path}\0`).update(readFileSync(join(repositoryRoot, path)))
  return hash.digest('hex').slice(0, 32)
}
