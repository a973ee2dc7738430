import { readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { expect, test } from 'vitest'
import { isQuickTest, planRun, slowTests } from './quick-run.ts'
import { listFiles, repositoryRoot } from './workspace.ts'

test.for<[args: readonly string[], ci: string | undefined, plan: object]>([
  [[], undefined, { isQuick: false, args: [] }],
  [['--project', 'engine'], 'true', { isQuick: false, args: ['--project', 'engine'] }],
  [['--quick'], undefined, { isQuick: true, args: [] }],
  [['--quick', '--project', 'engine'], '', { isQuick: true, args: ['--project', 'engine'] }],
  [['condition', '--quick'], 'false', { isQuick: true, args: ['condition'] }],
])('npm test %j with CI %j', ([args, ci, plan]) => {
  expect(planRun(args, { CI: ci })).toEqual(plan)
})

test.for(['true', '1', 'yes'])('a quick run is refused where CI is %s', (ci) => {
  expect(() => planRun(['--quick'], { CI: ci })).toThrow('refused where CI is set')
})

test.for<[path: string, isQuick: boolean]>([
  ['packages/engine/src/sigma/condition.test.ts', true],
  ['packages/console/src/ui/table.test.tsx', true],
  ['packages/engine/test/hostile.test.ts', false],
  ['packages/server/src/areas/alerts/alerts-api.test.ts', false],
  ['packages/cli/src/commands/bench.test.ts', false],
  ['tools/check-style.test.ts', false],
  ['packages/engine/src/engine.ts', false],
])('%s is quick: %s', ([path, isQuick]) => {
  expect(isQuickTest(path)).toBe(isQuick)
})

const tests = listFiles('packages/*/src/**/*.test.{ts,tsx}')

test.for(slowTests)('%s names tests that exist', (pattern) => {
  expect(tests.filter((path) => matchesGlob(path, pattern)).length).toBeGreaterThan(0)
})

// Each would load the whole server, which takes longer than all that it tests.
test('no test of a quick run opens a server', () => {
  const loading = /test\/(?:open-test-server|auth-fixture|sign-on\/open-oidc-provider)/
  expect(tests.filter((path) => isQuickTest(path) && loading.test(readFileSync(join(repositoryRoot, path), 'utf8')))).toEqual([])
})

test('a quick run has most of the tests beside the sources', () => {
  expect(tests.filter(isQuickTest).length).toBeGreaterThan(tests.length / 2)
})
