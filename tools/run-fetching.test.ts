import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { repositoryRoot } from './workspace.ts'

/** Runs a step in a process of its own: what is fetched is a number that the script `measure` makes. */
function runStep(script: string, { measure = '0', attemptsMax = 3, stallMs = 200 } = {}): { readonly outcome?: string; readonly printed: string } {
  const program = `
    import { runFetching } from './tools/run-fetching.mjs'
    let measured = 0
    const outcome = await runFetching({
      program: process.execPath, args: ['-e', ${JSON.stringify(script)}], cwd: '.', env: process.env, what: 'Node', attemptsMax: ${attemptsMax},
      say: (text) => process.stderr.write(text + '\\n'), measure: () => ${measure}, tellMs: 50, stallMs: ${stallMs},
    })
    process.stdout.write(JSON.stringify({ outcome }))
    process.exit(0)`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { cwd: repositoryRoot, encoding: 'utf8' })
  return { ...(JSON.parse(stdout) as { outcome?: string }), printed: stderr }
}

test('a step that ends well has no problem, and its output goes to stderr', () => {
  expect(runStep('console.log("added 1 package")', { stallMs: 60_000 })).toEqual({ printed: expect.stringContaining('added 1 package\n') })
})

test('a step that fails by itself is reported, and not started again', () => {
  const { outcome, printed } = runStep('console.error("no such host"); process.exit(3)', { stallMs: 60_000 })
  expect([outcome, printed.match(/no such host/g)?.length]).toEqual([`${process.execPath} -e ended with 3`, 1])
})

test('a program that is not there is reported', () => {
  const script = `
    import { runFetching } from './tools/run-fetching.mjs'
    console.log(await runFetching({ program: 'no-such-program', args: [], say: () => {}, what: 'Node', measure: () => 0, tellMs: 50, stallMs: 60_000 }))`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: repositoryRoot, encoding: 'utf8' })
  expect(stdout).toContain('no-such-program could not be started')
})

test('a step in which nothing arrives is ended and tried again, then given up', () => {
  const { outcome, printed } = runStep('setInterval(() => {}, 1_000)')
  expect(outcome).toBe('nothing of Node arrived for 0 s, 3 times')
  expect(printed.split('\n').filter((line) => line.includes('trying again'))).toEqual([
    'nothing of Node arrived for 0 s; trying again (2 of 3)', 'nothing of Node arrived for 0 s; trying again (3 of 3)',
  ])
})

test('a slow step is reported and left alone as long as something arrives', () => {
  // Ten times as long as the silence that would end it.
  const { outcome, printed } = runStep('setTimeout(() => process.exit(0), 4_000)', { measure: 'measured += 3_000_000', stallMs: 400 })
  expect(outcome).toBeUndefined()
  expect(printed).toMatch(/^Node: 6 MB are there after \d+ s\n/)
})
