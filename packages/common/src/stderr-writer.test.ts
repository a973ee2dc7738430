import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'

const script = `
  const { createStderrWriter } = await import(${JSON.stringify(new URL('stderr-writer.ts', import.meta.url).href)})
  const write = createStderrWriter()
  await write('first line of the log\\n')
  process.stdout.write('ready\\n')
  await write('second\\n')
`

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tripline-stderr-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test.for(['w', 'a'])('stdout and stderr in one file, opened with %s, overwrite nothing of each other', async (flags) => {
  const path = join(folder, 'log')
  const file = openSync(path, flags)
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: ['ignore', file, file] })
  await once(child, 'exit')
  closeSync(file)
  expect(readFileSync(path, 'utf8')).toBe('first line of the log\nready\nsecond\n')
})

test('stderr may be a pipe', async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
  expect([stdout, stderr]).toEqual(['ready\n', 'first line of the log\nsecond\n'])
})
