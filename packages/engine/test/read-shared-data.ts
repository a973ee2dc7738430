import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { test } from 'vitest'

/** Real rules and events outside of the repository; tests are skipped with a note when they are absent. */
const folder = fileURLToPath(new URL('../../../../shared/data/', import.meta.url))

export function sharedPath(name: string): string {
  return folder + name
}

export function hasShared(name: string): boolean {
  return existsSync(sharedPath(name))
}

/** Defines a test over shared files; skipped with the reason in its title when one is absent. */
export function testWithShared(names: readonly string[], title: string, run: () => void | Promise<void>): void {
  const missing = names.filter((name) => !hasShared(name))
  if (missing.length === 0) test(title, run)
  else test.skip(`${title} (skipped: no shared ${missing.join(', ')})`, run)
}

export function readSharedJson(name: string): unknown {
  return JSON.parse(readFileSync(sharedPath(name), 'utf8'))
}

/** Reads and parses the lines of a gzipped shared file. */
export function readSharedLines(name: string): Record<string, unknown>[] {
  const text = gunzipSync(readFileSync(sharedPath(name))).toString('utf8')
  return text.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line))
}

/** Yields the lines of a gzipped shared file, since some are too large for one string. */
export function* eachSharedLine(name: string): Generator<string> {
  const bytes = gunzipSync(readFileSync(sharedPath(name)))
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(10, start)
    const end = newline === -1 ? bytes.length : newline
    if (end > start) yield bytes.toString('utf8', start, end)
    start = end + 1
  }
}
