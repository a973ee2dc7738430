import { copyFileSync, existsSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFolder, runCaptured } from '../../../test/run-captured.ts'

const folder = createFolder({ none: '{}', 'a-file': '' })
const at = (path: string): string => join(folder, path)
const tripline = (line: string) => runCaptured(line, { cwd: folder })
beforeAll(async () => {
  for (const dir of ['one', 'other', 'foreign']) await tripline(`admin tenant create acme --data-dir ${dir}`)
})
afterAll(() => rmSync(folder, { recursive: true }))

/** What a data directory holds, with the sizes of its files. */
const list = (dir: string): readonly (readonly [string, number])[] => readdirSync(at(dir)).sort().map((name) => [name, statSync(at(join(dir, name))).size])

test('keys are exported once, for their owner alone, and restored beside their state', async () => {
  expect((await tripline('admin installation-keys export saved --data-dir one')).code).toBe(0)
  expect(statSync(at('saved')).mode & 0o777).toBe(0o600)
  const again = await tripline('admin installation-keys export saved --data-dir one')
  expect([again.code, again.stderr]).toEqual([74, 'tripline: the output cannot be written: the file is there already\n'])
  const keys = readFileSync(at('one/keys.json'), 'utf8')
  rmSync(at('one/keys.json'))
  const before = list('one')
  for (const line of ['serve --data-dir one --listen 127.0.0.1:0', 'serve --check --data-dir one', 'serve --data-dir one --demo --listen 127.0.0.1:0']) {
    const { code, stderr } = await tripline(line.replace(' one', ` ${at('one')}`))
    if (!line.startsWith('serve --data-dir one --listen')) expect([line, code, stderr]).toEqual([line, 78, expect.stringContaining('has a state but no keys.json')])
    else expect(code).toBe(78)
  }
  expect((await tripline('admin tenant create more --data-dir one')).code).toBe(66)
  expect(list('one')).toEqual(before)
  expect((await tripline('admin installation-keys import saved --data-dir one')).code).toBe(0)
  expect(readFileSync(at('one/keys.json'), 'utf8')).toBe(keys)
  expect((await tripline('audit verify --data-dir one')).code).toBe(0)
})

test('keys of another state are not used, and replaced by the right ones', async () => {
  copyFileSync(at('one/keys.json'), at('right'))
  copyFileSync(at('other/keys.json'), at('one/keys.json'))
  expect((await tripline(`serve --check --data-dir ${at('one')}`))).toMatchObject({ code: 78, stderr: expect.stringContaining('is of another state') })
  expect((await tripline('admin installation-keys import other/keys.json --data-dir one')).code).toBe(1)
  expect((await tripline('admin installation-keys import right --data-dir one')).code).toBe(0)
  expect((await tripline(`serve --check --data-dir ${at('one')}`)).code).toBe(0)
})

test('what finds keys of another state writes nothing', async () => {
  copyFileSync(at('other/keys.json'), at('foreign/keys.json'))
  const before = list('foreign')
  for (const line of [`serve --check --data-dir ${at('foreign')}`, 'admin installation-keys import other/keys.json --data-dir foreign']) {
    expect([line, (await tripline(line)).code]).toEqual([line, line.startsWith('serve') ? 78 : 1])
    expect([line, list('foreign')]).toEqual([line, before])
  }
})

test.for<[line: string, code: number]>([
  ['import nowhere --data-dir one', 66],
  ['import none --data-dir one', 1],
  ['import a-file --data-dir one', 1],
  ['export x --data-dir nowhere', 66],
  ['export x y --data-dir one', 2],
  ['export', 2],
])('installation-keys %s', async ([line, code]) => {
  expect((await tripline(`admin installation-keys ${line}`)).code).toBe(code)
  expect(existsSync(at('x'))).toBe(false)
})
