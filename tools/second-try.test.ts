import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { repositoryRoot } from './workspace.ts'

/** Files of tests; each counts its tries in a file beside it, as tries run in processes of their own. */
const files = {
  'keys.test.mjs': `
    test('steady', () => {})
    describe('a page', () => test('loses one key press', () => expect(countTry('keys')).toBe(2)))`,
  'hook.test.mjs': `
    beforeAll(() => { if (countTry('hook') === 1) throw new Error('the first start fails') })
    test('starts', () => {})`,
  'broken.test.mjs': `test('broken', () => { countTry('broken'); throw new Error('broken') })`,
  'fine.test.mjs': `test('fine', () => expect(countTry('fine')).toBe(1))`,
  'late.test.mjs': `test('late', () => { void Promise.reject(new Error('not awaited')) })`,
}
const countTry = `
  import { appendFileSync, readFileSync } from 'node:fs'
  const countTry = (name) => { appendFileSync(import.meta.dirname + '/' + name, '.'); return readFileSync(import.meta.dirname + '/' + name).length }`

test.each([
  {
    project: 'pages',
    expected: {
      passedAgain: ['pages > keys.test.mjs > a page > loses one key press', 'pages > hook.test.mjs'],
      count: 5, failed: ['broken.test.mjs'], errors: 1, tries: { keys: 2, hook: 2, broken: 2, fine: 1 },
    },
  },
  {
    project: 'others',
    expected: {
      passedAgain: [], count: 5, failed: ['broken.test.mjs', 'hook.test.mjs', 'keys.test.mjs'], errors: 1,
      tries: { keys: 1, hook: 1, broken: 1, fine: 1 },
    },
  },
])('failed files of one project are run again, and those that pass then are named: $project', ({ project, expected }) => {
  const { lines, ...found } = runSuite(project)
  const { passedAgain, ...others } = expected
  expect(found).toEqual(others)
  expect(lines.toSorted()).toEqual([
    'an error outside of tests: not awaited', ...passedAgain.map((place) => `passed at the second try: ${place}`).toSorted(),
  ])
})

type Found = {
  readonly lines: readonly string[]
  readonly count: number
  readonly failed: readonly string[]
  readonly errors: number
  readonly tries: Readonly<Record<string, number>>
}

/** Runs the files as the project `pages`, in a process of its own, with a second try for one project. */
function runSuite(project: string): Found {
  const folder = mkdtempSync(join(tmpdir(), 'tripline-second-try-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), `${countTry}\n${text}`)
  const script = `
    import { readFileSync } from 'node:fs'
    import { startVitest } from 'vitest/node'
    import { runFailedAgain } from '${join(repositoryRoot, 'tools/second-try.ts')}'
    const options = {
      name: 'pages', root: '${folder}', config: false, globals: true, watch: false, reporters: [{}], include: ['*.test.mjs'],
    }
    const vitest = await startVitest([], options)
    const { modules, errors, lines } = await runFailedAgain(vitest, '${project}')
    const failed = modules.filter((module) => !module.ok()).map((module) => module.relativeModuleId).sort()
    const tries = Object.fromEntries(['keys', 'hook', 'broken', 'fine'].map((name) => [name, readFileSync('${folder}/' + name).length]))
    process.stdout.write(JSON.stringify({ lines, count: modules.length, failed, errors, tries }))
    await vitest.close()
    process.exit(0)`
  const { VITEST: _, ...env } = process.env
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: repositoryRoot, env, encoding: 'utf8' })
  expect(stderr).not.toMatch(/^\s*at /m)
  return JSON.parse(stdout) as Found
}
