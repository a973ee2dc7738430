import {
  closeSync, fchmodSync, fsyncSync, mkdtempSync, openSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { unwritableError } from './command-error.ts'

/**
 * Replaces the text of a file atomically: writes a temporary file, syncs it and renames it. Follows links and keeps the
 * mode. Returns why it did not: the file no longer has the text that was read, because another program changed it or
 * because it is not UTF-8.
 *
 * @throws ExitError (74) when the file cannot be written.
 */
export function writeAtomically(path: string, { from, to }: { readonly from: string; readonly to: string }): string | undefined {
  try {
    const file = realpathSync(path)
    if (!readFileSync(file).equals(Buffer.from(from))) return 'it changed since it was read, or is not UTF-8'
    const folder = mkdtempSync(join(dirname(file), '.tripline-'))
    try {
      writeAndSync(join(folder, 'new'), to, statSync(file).mode)
      renameSync(join(folder, 'new'), file)
    } finally {
      rmSync(folder, { recursive: true })
    }
    return undefined
  } catch (error) {
    throw unwritableError(error)
  }
}

function writeAndSync(file: string, text: string, mode: number): void {
  const descriptor = openSync(file, 'wx')
  try {
    // The mode of an open call loses what the process masks.
    fchmodSync(descriptor, mode & 0o7777)
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
