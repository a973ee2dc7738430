import { existsSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

/**
 * Has Node keep in the data directory what it makes of sources that are imported from now on, and take it from there where
 * it did before: a good part of a start is reading our own. Node uses only what it made of the same text in the same
 * version, and does without where it can keep nothing; the folder may go at any time. A data directory that is not there yet is
 * left to whoever makes it with its permissions.
 */
export function useCodeCache(dataDir: string): void {
  if (existsSync(dataDir)) enableCompileCache(join(dataDir, 'code'))
}

/** Writes what is new to the folder. A server that is killed writes nothing at its end. */
export const flushCodeCache = flushCompileCache
