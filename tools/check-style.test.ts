import { describe, expect, test } from 'vitest'
import { findStyleProblems, findPackageProblems } from './check-style.ts'
import { listFiles, readText } from './workspace.ts'

/** The file that must name what it forbids, the one that plants it, and the one that writes it into a generated parser. */
const exemptFiles = new Set(['tools/check-style.ts', 'tools/check-style.test.ts', 'tools/build-parser.ts'])
const paths = listFiles('**/*')

test('every file is tidy', () => {
  const texts = paths.filter((path) => !exemptFiles.has(path) && /\.(?:ts|tsx|mjs|js|json|ya?ml|md|css|html|sql)$|^\.ci\//.test(path))
  expect(texts.length).toBeGreaterThan(20)
  expect(texts.flatMap((path) => findStyleProblems(path, readText(path)))).toEqual([])
})

test('every package states its licence, has a README and exact versions', () => {
  const manifests = paths.filter((path) => path === 'package.json' || path.endsWith('/package.json'))
  expect(manifests.length).toBeGreaterThan(4)
  expect(manifests.flatMap((path) => findPackageProblems(path, readText(path), new Set(paths)))).toEqual([])
})

test('the lockfile names no host', () => {
  expect(readText('pnpm-lock.yaml').match(/.*https?:.*/g)).toBe(null)
})

describe('the check of a file', () => {
  const check = (path: string, text: string): string[] => findStyleProblems(path, text)

  test.for<[title: string, path: string, text: string, answer: string[]]>([
    ['a good file', 'packages/a/src/good-name.ts', 'export const a = 1\n', []],
    ['a name in camel case', 'packages/a/src/badName.ts', 'a\n', ['packages/a/src/badName.ts: the name is not in kebab-case']],
    ['unfinished work', 'a.ts', 'a\n// TODO later\n', ['a.ts:2 names unfinished work: finish it or write an issue']],
    ['a path of one machine', 'a.md', 'see /home/someone\n', ['a.md:1 names a path of one machine']],
    ['a web path that looks like one', 'a.md', 'https://example.org/home/someone\n', []],
    ['a registry', 'a.yaml', 'registry.example.org\n', ['a.yaml:1 names the host of a package registry']],
    ['a check switched off', 'a.ts', '// @ts-ignore\n', ['a.ts:1 switches a check off']],
    ['a type forced into another', 'a.ts', 'a as unknown as B\n', ['a.ts:1 turns a type into another one']],
    ['a pause', 'a.test.ts', 'await page.waitForTimeout(300)\n', ['a.test.ts:1 waits for a time: wait for what is needed']],
    ['a route that is taken from its handler', 'a.test.ts', 'await page.unroute(path)\n', [
      "a.test.ts:1 takes a route away from a handler that may still run: `unrouteAll({ behavior: 'wait' })` waits for it",
    ]],
    ['a blank at the end of a line', 'a.ts', 'a \n', ['a.ts:1 ends with a blank']],
    ['no newline at the end', 'a.ts', 'a', ['a.ts: does not end with one newline']],
    ['two newlines at the end', 'a.ts', 'a\n\n', ['a.ts: does not end with one newline']],
    ['a long line', 'a.ts', `${'a'.repeat(141)}\n`, ['a.ts:1 is longer than 140 characters']],
    ['a long row of a test', 'a.test.ts', `${'a'.repeat(141)}\n`, []],
    ['a long line of prose', 'a.md', `${'a'.repeat(141)}\n`, []],
    ['a long file', 'a.ts', 'a\n'.repeat(351), ['a.ts: has 351 lines; 350 are the most']],
    ['a long table of limits', 'packages/a/src/limits.ts', 'a\n'.repeat(351), []],
    ['a long test', 'a.test.ts', 'a\n'.repeat(351), []],
    ['a generated file', 'a.ts', `// Generated from a.peggy.\n${'a\n'.repeat(400)}`, []],
    ['what is data', 'fixtures/events/a.json', '{"Image":"/tmp/a"}', []],
  ])('%s', ([, path, text, answer]) => {
    expect(check(path, text)).toEqual(answer)
  })
})

describe('the check of a package', () => {
  const check = (manifest: object): string[] =>
    findPackageProblems('a/package.json', JSON.stringify(manifest), new Set(['a/README.md']))

  test.for<[title: string, manifest: object, answer: string[]]>([
    ['a good one', { license: 'Apache-2.0', dependencies: { b: '1.2.3', c: 'workspace:0.1.0' } }, []],
    ['another licence', { license: 'MIT' }, ['a/package.json: the license is not Apache-2.0']],
    ['a range', { license: 'Apache-2.0', devDependencies: { b: '^1.2.3' } },
      ['a/package.json: the version of b is not exact: ^1.2.3']],
    ['any version of the workspace', { license: 'Apache-2.0', dependencies: { b: 'workspace:*' } },
      ['a/package.json: the version of b is not exact: workspace:*']],
  ])('%s', ([, manifest, answer]) => {
    expect(check(manifest)).toEqual(answer)
  })

  test('no README', () => {
    expect(findPackageProblems('a/package.json', '{"license":"Apache-2.0"}', new Set()))
      .toEqual(['a/package.json: has no README.md beside it'])
  })
})
