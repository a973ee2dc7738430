import { mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Makes sure that the data directory is there and can be written: creates it with its parents, then writes,
 * syncs and removes a file in it. Asking for permissions would not notice a full or read-only disk.
 *
 * @throws the file system's error when it cannot.
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

/** Where the state of a data directory is. */
export function getStateFile(dataDir: string): string {
  return join(dataDir, 'state.db')
}
