import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isRunnable, findCommandProblems, runCommand, splitCommand } from './check-commands.ts'
import { listAnchors, parseCodeBlocks, findCommands, extractDocstrings, findLinks, findModules } from './parse-markdown.ts'
import type { Example } from './parse-markdown.ts'
import { listFiles, readText, repositoryRoot } from './workspace.ts'

type Located = Example & { readonly path: string }

const documents = listFiles('**/*.md').map((path) => ({ path, text: readText(path) }))
const commands = documents.flatMap(({ path, text }) => findCommands(text).map((command) => ({ path, ...command })))
const modules = [
  ...documents.filter(({ path }) => path.endsWith('README.md') || /^docs\/(?:guide|start)\//.test(path)),
  ...listFiles('packages/*/src/**/*.ts').map((path) => ({ path, text: extractDocstrings(readText(path)) })),
].flatMap(({ path, text }) => findModules(text).map((module) => ({ path, ...module })))
  // Examples of the client need a server: `packages/server/test/integrate-guide.test.ts` runs them against one. Servers in programs
  // run until a signal stops them: `tools/release/packages.test.ts` runs those.
  .filter(({ source }) => !/from '@tripline\/(?:client|server)'/.test(source))

describe('the examples of READMEs, guides and docstrings', () => {
  test.for(modules)('$path:$line runs', (example) => {
    const { output } = example
    expect(runModule(example)).toEqual({ status: 0, stderr: '', ...(output === undefined ? {} : { stdout: output }) })
  })

  test.for(commands.filter(({ source, output }) => output !== undefined && isRunnable(source)))(
    '$path:$line prints what the document shows: $source',
    ({ source, output }) => {
      expect(runCommand(source)).toBe(output)
    },
  )

  test('one that throws is noticed', () => {
    const source = `const name: string = 'x'\nthrow new Error(name)`
    expect(runModule({ path: 'README.md', source, line: 1, output: undefined }).status).toBe(1)
  })
})

describe('the commands of documents', () => {
  test.for(commands)('$path:$line exists: $source', ({ source }) => {
    expect(findCommandProblems(source)).toEqual([])
  })

  // Of what a user has only some Node is known, which need not run TypeScript; npm's scripts fetch one that does.
  test.for(commands.filter(({ path }) => /^(?:docs\/start|deploy|site)\//.test(path)))('$path:$line needs no other Node than a user has: $source', ({ source }) => {
    expect(source).not.toMatch(/\bnode \S+\.ts\b|\bpnpm\b/)
  })

  test.for<[command: string, problem: string]>([
    ['npm run nothing', `package.json has no script 'nothing'`],
    ['npm run -s tripline -- detekt', `tripline has no command 'detekt'`],
    ['tripline detect --rulez a', `'tripline detect' has no option '--rulez'`],
    ['node tools/nothing.ts', 'tools/nothing.ts does not exist'],
    ['abracadabra', `'abracadabra' is not a program that a reader is known to have`],
  ])('%s is refused', ([command, problem]) => {
    expect(findCommandProblems(command)).toEqual([problem])
  })
})

test("README's first screen has at most 40 lines, two commands and a session", () => {
  const screen = readText('README.md').split('\n## ')[0]!
  expect(screen.split('\n').length).toBeLessThanOrEqual(40)
  const [start, session, ...others] = parseCodeBlocks(screen)
  expect(others).toEqual([])
  expect(findCommands('```sh\n' + start!.text + '```')).toHaveLength(2)
  expect(session!.language).toBe('console')
})

describe('reading a document', () => {
  const markdown = [
    '# A title, with `code`', '', '```ts', 'a()', '```', '', '```output', 'b', '```',
    '[in](x.md#y) [out](https://a.b/c)',
    '```console', '$ npm test \\', '    --flag | cat # why', 'ok', '$ tripline --version', '```',
  ].join('\n')

  test('finds blocks, examples, commands, links and anchors', () => {
    expect(parseCodeBlocks(markdown).map(({ language, line }) => [language, line]))
      .toEqual([['ts', 3], ['output', 7], ['console', 11]])
    expect(findModules(markdown)).toEqual([{ source: 'a()\n', line: 3, output: 'b\n' }])
    expect(findCommands(markdown)).toEqual([
      { source: 'npm test --flag | cat # why', line: 11, output: 'ok\n' },
      { source: 'tripline --version', line: 11, output: '' },
    ])
    expect(findLinks(markdown)).toEqual(['x.md#y'])
    expect(listAnchors(markdown)).toEqual(['a-title-with-code'])
  })

  test('finds examples in docstrings', () => {
    const source = ['/**', ' * Does it.', ' * ```ts', ' * it()', ' * ```', ' */', 'export const it = 1'].join('\n')
    expect(findModules(extractDocstrings(source))).toEqual([{ source: 'it()\n', line: 3, output: undefined }])
  })

  test('splits a command line and tells what may be run', () => {
    expect(splitCommand(`a 'b c' | d && e --f="g" # h`)).toEqual([['a', 'b c'], ['d'], ['e', '--f="g']])
    expect(isRunnable('cat a.ndjson | npm run -s tripline -- detect a')).toBe(true)
    expect(isRunnable('npm start')).toBe(false)
    expect(isRunnable('tripline serve && curl localhost')).toBe(false)
  })
})

/** Runs an example as a module of its package; one of no package as part of the command line, which knows them all. */
function runModule({ path, source, output }: Located): { status: number | null; stderr: string; stdout?: string } {
  const folder = /^packages\/[^/]+/.exec(path)?.[0] ?? 'packages/cli'
  const { status, stderr, stdout } = spawnSync(process.execPath, ['--input-type=module-typescript', '-'], {
    cwd: join(repositoryRoot, folder), input: source, encoding: 'utf8', timeout: 900_000,
  })
  return { status, stderr, ...(output === undefined ? {} : { stdout }) }
}
