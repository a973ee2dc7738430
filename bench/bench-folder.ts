import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder for the files of a measurement, and the function that removes it when the measurement has ended. */
type BenchFolder = { readonly folder: string; readonly removeFolder: () => void }

/** Makes a temporary folder. A folder to keep is used in its place where it is given, made if it does not exist, and never removed. */
export function openBenchFolder(name: string, kept?: string): BenchFolder {
  if (kept !== undefined) {
    mkdirSync(kept, { recursive: true })
    return { folder: kept, removeFolder: () => {} }
  }
  const folder = mkdtempSync(join(tmpdir(), `tripline-${name}-`))
  return { folder, removeFolder: () => rmSync(folder, { recursive: true }) }
}
