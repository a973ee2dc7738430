import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import config from '../vitest.config.ts'
import { repositoryRoot } from './workspace.ts'

test('names a test that passed at the second try, and no other', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tripline-second-try-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'keys.test.mjs'), `
    let tries = 0
    test('steady', () => {})
    describe('a page', () => test('loses one key press', () => { tries += 1; expect(tries).toBe(2) }))
    test('broken', () => { throw new Error('broken') })`)
  expect(runSuite(folder)).toBe('passed at the second try: keys.test.mjs > a page > loses one key press\n')
})

test('the browser tests alone have a second try', () => {
  const projects = (config.test?.projects ?? []).map((project) => (typeof project === 'object' && 'test' in project ? project.test : undefined))
  expect(projects.filter((project) => project?.retry !== undefined).map((project) => [project?.name, project?.retry])).toEqual([['browser', 1]])
  expect(config.test?.retry).toBeUndefined()
})

/** Runs the tests of a folder with a second try, in a process of its own; what is printed about second tries. */
function runSuite(folder: string): string {
  const script = `
    import { startVitest } from 'vitest/node'
    import { printSecondTries } from '${join(repositoryRoot, 'tools/second-try.ts')}'
    const options = { root: '${folder}', config: false, globals: true, watch: false, retry: 1, reporters: [{}], include: ['*.test.mjs'] }
    const vitest = await startVitest([], options)
    process.stdout.write(printSecondTries(vitest.state.getTestModules()).map((line) => line + '\\n').join(''))
    await vitest.close()
    process.exit(0)`
  const { VITEST: _, ...env } = process.env
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: repositoryRoot, env, encoding: 'utf8' })
  expect(stderr).not.toMatch(/^\s*at /m)
  return stdout
}
