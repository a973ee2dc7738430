import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findDeadLinks, findMissingFiles, findOutsideReferences } from './references.ts'
import type { ProjectFiles } from './references.ts'
import { listFiles, readText } from './workspace.ts'

const allFiles = listFiles('**/*')
const project: ProjectFiles = { paths: withFolders(allFiles), read: readText }
const documents = allFiles.filter((path) => path.endsWith('.md'))
/** The check itself plants what it refuses; the lockfile is not ours. */
const exempt = /^(?:tools\/references\.(?:test\.)?ts|pnpm-lock\.yaml)$/
const sources = allFiles.filter((path) => /\.(?:ts|mjs|md|peggy|ya?ml)$/.test(path) && !exempt.test(path))

test('no source, fixture or document points at a paper outside the repository', () => {
  expect(sources.length).toBeGreaterThan(1_000)
  expect(sources.flatMap((path) => findOutsideReferences(path, readText(path), project))).toEqual([])
})

test('every link of a document leads to a file and a heading', () => {
  expect(documents.length).toBeGreaterThan(40)
  expect(documents.flatMap((path) => findDeadLinks(path, readText(path), project))).toEqual([])
})

test('every file that the map of the code names exists', () => {
  expect(findMissingFiles(readText('docs/ARCHITECTURE.md'), project)).toEqual([])
})

describe('the checks', () => {
  const files = withFolders(['docs/MAP.md', 'docs/decisions/0001-a.md', 'packages/a/src/b/c.ts', 'tools/d.ts'])
  const planted: ProjectFiles = { paths: files, read: () => '# A heading, with `code`\n' }

  test.for<[title: string, line: string, found: string[]]>([
    ['a numbered decision', '// ids sort by time (D-12)', ['a.ts:1 D-12']],
    ['a section', '// as in section 3.2', ['a.ts:1 section 3.2']],
    ['a section of an RFC', '// RFC 6455 section 5.5', []],
    ['a table and an example', '// Table 3.1, example 4.2', ['a.ts:1 Table 3.1', 'a.ts:1 example 4.2']],
    ['a hook by its number', '// where it went (C3)', ['a.ts:1 (C3)']],
    ['a paper by its name', '// see trust.md', ['a.ts:1 trust.md']],
    ['a document by its path', '// see docs/MAP.md', []],
    ['a document without its folder', '// see MAP.md', ['a.ts:1 MAP.md']],
    ['an address of the web', '// https://example.org/a.md', []],
    ['an id that looks like one', "'4fa0-12d-3e'", []],
  ])('find %s', ([, line, found]) => {
    expect(findOutsideReferences('a.ts', line, planted)).toEqual(found)
  })

  test('find links to files and headings that do not exist', () => {
    const markdown = '[a](MAP.md) [b](decisions/0001-a.md#a-heading-with-code) [c](nothing.md) [d](#nothing) [e](decisions)'
    expect(findDeadLinks('docs/MAP.md', markdown, planted)).toEqual(['docs/MAP.md nothing.md', 'docs/MAP.md #nothing'])
  })

  test('find files of the map that do not exist', () => {
    const map = ['`tools/d.ts`, `GET /v1/x`, `gone.ts`', '### packages/a', '`b/c.ts` `c.ts` `b/` `d.ts`', '## End', '`d.ts`']
    expect(findMissingFiles(map.join('\n'), planted)).toEqual(['gone.ts', 'packages/a d.ts'])
  })
})

/** The paths of files, and of the folders that hold them. */
function withFolders(paths: readonly string[]): ReadonlySet<string> {
  const all = new Set(paths)
  for (const path of paths) {
    for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder)) all.add(folder)
  }
  return all
}
