import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { test } from 'vitest'

/** Real rules and events that are not part of the project; tests that need them say so when they are absent. */
const folder = fileURLToPath(new URL('../../../../shared/data/', import.meta.url))

export function sharedPath(name: string): string {
  return folder + name
}

export function hasShared(name: string): boolean {
  return existsSync(sharedPath(name))
}

/** A test over a file of the shared data; skipped, with the reason in its title, where the file is absent. */
export function testWithShared(names: readonly string[], title: string, run: () => void | Promise<void>): void {
  const missing = names.filter((name) => !hasShared(name))
  if (missing.length === 0) test(title, run)
  else test.skip(`${title} (skipped: no shared ${missing.join(', ')})`, run)
}

export function readSharedJson(name: string): unknown {
  return JSON.parse(readFileSync(sharedPath(name), 'utf8'))
}

/** The lines of a gzipped file of shared events or matches, parsed. */
export function readSharedLines(name: string): Record<string, unknown>[] {
  const text = gunzipSync(readFileSync(sharedPath(name))).toString('utf8')
  return text.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line))
}

/** The lines of a gzipped file of shared events one after the other: all at once some would not fit into one text. */
export function* eachSharedLine(name: string): Generator<string> {
  const bytes = gunzipSync(readFileSync(sharedPath(name)))
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(10, start)
    const end = newline === -1 ? bytes.length : newline
    if (end > start) yield bytes.toString('utf8', start, end)
    start = end + 1
  }
}
