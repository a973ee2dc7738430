import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { readRules, readTestFiles, addTestedRules } from './read-rules.ts'

const folder = mkdtempSync(join(tmpdir(), 'tripline-'))
afterAll(() => rmSync(folder, { recursive: true }))

const files = ['b.yml', 'b.test.yml', 'deep/er/c.test.yaml', 'a.yaml', 'UPPER.YML', 'note.txt', 'deep/er/c.yml', 'deep-er.yml', '.hidden.yml', '.git/d.yml']
for (const file of files) {
  mkdirSync(join(folder, 'rules', dirname(file)), { recursive: true })
  writeFileSync(join(folder, 'rules', file), `title: ${file}`)
}
symlinkSync('..', join(folder, 'rules/deep/up'))
symlinkSync('self.yml', join(folder, 'rules/self.yml'))
symlinkSync('nowhere', join(folder, 'rules/dangling.yml'))
symlinkSync('note.txt', join(folder, 'rules/linked.yml'))
mkdirSync(join(folder, 'rules/directory.yml'))
mkdirSync(join(folder, 'empty'))
writeFileSync(join(folder, 'large.yml'), Buffer.alloc(limits.ruleFileBytesMax + 1, '#'))
writeFileSync(join(folder, 'marked.yml'), '\ufefftitle: marked')

const below = ['UPPER.YML', 'a.yaml', 'b.yml', 'deep-er.yml', 'deep/er/c.yml', 'linked.yml']

test.for<[title: string, given: string[], paths: string[]]>([
  ['a file', ['rules/b.yml'], ['rules/b.yml']],
  ['a file, and no tests', ['rules/b.yml', 'rules/b.test.yml'], ['rules/b.yml']],
  ['a file of any name', ['rules/note.txt'], ['rules/note.txt']],
  ['a directory, sorted, links followed once', ['rules'], below.map((file) => `rules/${file}`)],
  ['a directory with a slash', ['rules/'], below.map((file) => `rules/${file}`)],
  ['a directory as the user spells it', ['./empty/../rules/deep/er'], ['./empty/../rules/deep/er/c.yml']],
  ['an absolute path', [join(folder, 'rules/deep/er')], [join(folder, 'rules/deep/er/c.yml')]],
  ['several, in the order given', ['rules/deep/er', 'rules/a.yaml'], ['rules/deep/er/c.yml', 'rules/a.yaml']],
  ['a file reached twice, once', ['rules/deep/er', './rules/deep/er/c.yml'], ['rules/deep/er/c.yml']],
  ['an empty directory', ['empty'], []],
])('reads %s', ([, given, paths]) => {
  expect(readRules(given, folder).map(({ path }) => path)).toEqual(paths)
})

test.for<[title: string, given: string[], paths: string[]]>([
  ['a directory', ['rules'], ['rules/b.test.yml', 'rules/deep/er/c.test.yaml']],
  ['a rule', ['rules/b.yml', 'rules/a.yaml'], ['rules/b.test.yml']],
  ['themselves', ['rules/b.test.yml'], ['rules/b.test.yml']],
])('reads tests of %s', ([, given, paths]) => {
  expect(readTestFiles(given, folder).map(({ path }) => path)).toEqual(paths)
})

test('finds the rules beside tests', () => {
  const given = ['rules', 'rules/b.test.yml', 'rules/deep/er/c.test.yaml', 'rules/none.test.yml']
  expect(addTestedRules(given, folder)).toEqual(['rules', 'rules/b.test.yml', 'rules/b.yml', 'rules/deep/er/c.test.yaml', 'rules/deep/er/c.yml', 'rules/none.test.yml'])
})

test('gives the text of each file', () => {
  expect(readRules(['rules/a.yaml', 'rules/linked.yml'], folder).map(({ text }) => text)).toEqual(['title: a.yaml', 'title: note.txt'])
})

test('reads no more of a large file than it takes to know that it is too large', () => {
  expect(readRules(['large.yml'], folder)[0]?.text.length).toBe(limits.ruleFileBytesMax)
})

test.for<[given: string, message: string]>([
  ['nowhere', `rules path 'nowhere' cannot be read: there is no such file or directory`],
  ['rules/dangling.yml', `rules path 'rules/dangling.yml' cannot be read: there is no such file or directory`],
  ['rules/self.yml', `rules path 'rules/self.yml' cannot be read: its symbolic links form a loop`],
  ['rules/b.yml/c.yml', `rules path 'rules/b.yml/c.yml' cannot be read: a part of the path is not a directory`],
])('refuses %s', ([given, message]) => {
  expect(() => readRules([given], folder)).toThrow(expect.objectContaining({ message, exitCode: 66 }))
})
