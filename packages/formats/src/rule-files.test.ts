import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readRuleFiles } from './rule-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'tripline-rules-'))
afterAll(() => rmSync(folder, { recursive: true }))

for (const file of ['b.yml', 'a.YAML', 'deep/c.yaml', 'b.test.yml', 'deep/c.test.yaml', 'readme.md']) {
  mkdirSync(join(folder, dirname(file)), { recursive: true })
  writeFileSync(join(folder, file), file)
}

test.for<[title: string, given: readonly string[], files: readonly string[]]>([
  ['a directory, without tests of rules', ['.'], ['a.YAML', 'b.yml', 'deep/c.yaml']],
  ['a file as it is', ['readme.md'], ['readme.md']],
  ['a file that occurs twice, once', ['b.yml', '.'], ['b.yml', 'a.YAML', 'deep/c.yaml']],
])('reads %s', async ([, given, files]) => {
  const sources = await readRuleFiles(given.map((path) => join(folder, path)))
  expect(sources).toEqual(files.map((file) => ({ path: join(folder, file), text: file })))
})
