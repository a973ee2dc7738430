import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('a body of events passes at most 15 functions on its way to the bus', () => {
  // In a process of its own: test runners change sources, and with them the places of functions.
  const printed = execFileSync(process.execPath, [join(import.meta.dirname, 'ingest-walk.ts')], { encoding: 'utf8' })
  const names = printed.split('\n').flatMap((line) => /^(\S+) {2}/.exec(line)?.[1] ?? [])
  expect(names).toEqual(expect.arrayContaining(['withBody', 'inflate', 'scanBody', 'decodeEvent', '#publish', 'printMessage']))
  expect(names.length).toBeLessThanOrEqual(15)
})
