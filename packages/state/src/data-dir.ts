import { mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Creates the data directory with its parents if necessary, and checks that it is writable: writes, syncs and removes a
 * file. A permission check would not notice a full or read-only disk.
 *
 * @throws the file system's error if that fails.
 */
export async function openDataDir(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  const probe = join(path, `.writable-${process.pid}`)
  const file = await open(probe, 'w', 0o600)
  try {
    await file.writeFile('tripline\n')
    await file.sync()
  } finally {
    await file.close()
    await unlink(probe)
  }
}

/**
 * Writes the password of the first administrator to a file that only the owner of the data directory can read, and returns
 * its path. A log would spread it.
 */
export async function writeFirstPassword(dataDir: string, password: string): Promise<string> {
  const path = join(dataDir, 'first-password')
  const file = await open(path, 'w', 0o600)
  try {
    // An older file keeps its mode when it is opened.
    await file.chmod(0o600)
    await file.writeFile(`${password}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  return path
}

/** The path of the state database in a data directory. */
export function getStateFile(dataDir: string): string {
  return join(dataDir, 'state.db')
}
