import { expect, test } from 'vitest'
import { findOddPhrases, keepTitlesAndComments } from './plain-words.ts'
import { listFiles, readText } from './workspace.ts'

/** Shows such phrases, to say what to write instead. */
const shown = new Set(['docs/STYLE.md'])

test('documents are written in plain words', () => {
  const documents = listFiles('**/*.md').filter((path) => !shown.has(path))
  expect(documents.length).toBeGreaterThan(40)
  expect(documents.flatMap((path) => findOddPhrases(path, readText(path)))).toEqual([])
})

const sourceGlobs = ['packages/*/src/**/*.{ts,tsx}', 'bench/**/*.ts', 'tools/**/*.{ts,mjs}']

test('sources are written in plain words', () => {
  const sources = sourceGlobs.flatMap(listFiles).filter((path) => !/\.test\.tsx?$/.test(path) && path !== 'tools/plain-words.ts')
  expect(sources.length).toBeGreaterThan(100)
  expect(sources.flatMap((path) => findOddPhrases(path, readText(path)))).toEqual([])
})

test('titles and comments of tests are written in plain words', () => {
  const tests = ['packages/*/{src,test}/**/*.ts', 'bench/**/*.test.ts', 'tools/**/*.test.ts'].flatMap(listFiles)
    .filter((path) => (path.endsWith('.test.ts') || path.includes('/test/')) && path !== 'tools/plain-words.test.ts')
  expect(tests.length).toBeGreaterThan(100)
  expect(tests.flatMap((path) => findOddPhrases(path, keepTitlesAndComments(readText(path))))).toEqual([])
})

test.for<[line: string, found: string[]]>([
  ['tokens of an issuer are let in', ['a.md:1 let in']],
  ['Whoever asks is told why.', ['a.md:1 Whoever', 'a.md:1 is told']],
  ['The server accepts tokens of a trusted issuer.', []],
  ['the outlet in the wall', []],
  ['Long values are told apart by a hash.', ['a.md:1 told apart']],
  ['Long values are distinguished by a hash.', []],
])('%s', ([line, found]) => {
  expect(findOddPhrases('a.md', line)).toEqual(found)
})

test('of a test, titles and comments are read', () => {
  const lines = ["test('is told why', () => {", "  // whoever asks", "  const user = 'nobody'", "])('let in as %s', () => {", 'describe(`nobody`, () => {']
  const kept = keepTitlesAndComments(lines.join('\n'))
  expect(findOddPhrases('a.ts', kept)).toEqual(['a.ts:1 is told', 'a.ts:2 whoever', 'a.ts:4 let in', 'a.ts:5 nobody'])
})
