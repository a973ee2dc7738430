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

/** The path of the state database in a data directory. */
export function getStateFile(dataDir: string): string {
  return join(dataDir, 'state.db')
}
