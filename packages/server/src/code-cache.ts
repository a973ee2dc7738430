import { existsSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

/**
 * Enables Node's compile cache in the data directory for modules imported from now on; compiling our own sources is a large
 * part of the start time. Node only uses entries of the same source and version and works without a writable cache; the
 * folder may be deleted at any time. A data directory that does not exist yet is not created here, because the code that
 * creates it sets its permissions.
 */
export function useCodeCache(dataDir: string): void {
  if (existsSync(dataDir)) enableCompileCache(join(dataDir, 'code'))
}

/** Writes new cache entries to disk. A killed process would otherwise write none. */
export const flushCodeCache = flushCompileCache
