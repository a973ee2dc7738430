import { rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { createFolder, runCaptured } from '../../../test/run-captured.ts'
import { brokenRule, curlRule, placeholderRule, shellRule } from '../../../test/sample-rules.ts'

const folder = createFolder({
  'good/curl.yml': curlRule,
  'good/shell.yml': shellRule,
  'lint.yml': shellRule.replace('detection:', 'detection:\n  unused:\n    User: bob'),
  'all/broken.yml': brokenRule,
  'all/curl.yml': curlRule,
  'all/placeholder.yml': placeholderRule,
  'collection.yml': `${curlRule}---\n${brokenRule}`,
  'no-yaml.yml': 'a: [1,\nb: 2\n',
  'escape.yml': brokenRule.replace('selction', '"selction \u202e"'),
  'admins.json': '{"admins":["alice"]}',
  'empty/readme.txt': '',
})
afterAll(() => rmSync(folder, { recursive: true }))

const check = (line: string) => runCaptured(`rules check ${line}`, { cwd: folder })

type Row = { readonly path: string; readonly verdict: string; readonly diagnostics: readonly Record<string, unknown>[] }

async function checkJson(line: string): Promise<{ code: number; rules: readonly Row[]; totals: unknown }> {
  const { code, stdout } = await check(`${line} --json`)
  return { code, ...JSON.parse(stdout) as { rules: readonly Row[]; totals: unknown } }
}

test('gives a row per rule and the counts', async () => {
  const { code, rules, totals } = await checkJson('all')
  expect(code).toBe(1)
  expect(rules.map(({ path, verdict }) => [path, verdict])).toEqual([
    ['all/broken.yml', 'invalid'],
    ['all/curl.yml', 'compiled'],
    ['all/placeholder.yml', 'needs_configuration'],
  ])
  expect(totals).toEqual({ rules: 3, compiled: 1, needs_configuration: 1, unsupported: 0, invalid: 1 })
})

test('says where the problem of a rule is and what to do', async () => {
  const { rules: [rule] } = await checkJson('all/broken.yml')
  expect(Object.keys(rule ?? {})).toEqual(['path', 'id', 'title', 'verdict', 'diagnostics'])
  expect(rule).toMatchObject({ id: '6f2d1c1e-0f5b-4b7e-9d3a-0d7d3c8f0004', title: 'Broken' })
  const problem = rule?.diagnostics.find(({ kind }) => kind === 'error')
  expect(problem).toMatchObject({ line: 8, column: 14, hint: expect.stringContaining(`'selection'`) })
  expect(Object.keys(problem ?? {})).toEqual(['code', 'message', 'line', 'column', 'hint', 'kind'])
})

test.for<[line: string, code: number, verdicts: string]>([
  ['good', 0, '2 rules: 2 compiled'],
  ['good/curl.yml all/placeholder.yml', 0, '2 rules: 1 compiled, 1 needs_configuration'],
  ['all/placeholder.yml --placeholders admins.json', 0, '1 rule: 1 compiled'],
  ['all', 1, '3 rules: 1 compiled, 1 needs_configuration, 1 invalid'],
  ['collection.yml', 1, '2 rules: 1 compiled, 1 invalid'],
  ['no-yaml.yml', 1, '1 rule: 1 invalid'],
])('%s ends with %i', async ([line, code, verdicts]) => {
  const captured = await check(line)
  expect(captured.stdout.trimEnd().split('\n').at(-1)?.split(';')[0]).toBe(verdicts)
  expect(captured).toMatchObject({ code, stderr: '' })
})

test('shows the place of a problem with a caret', async () => {
  const { stdout } = await check('all/broken.yml')
  expect(stdout).toContain('all/broken.yml:8:14: error ')
  expect(stdout).toContain('8 |   condition: selction\n                 ^\n')
})

test('counts lints, and shows them with --lint', async () => {
  const counted = await check('lint.yml')
  const shown = await check('lint.yml --lint')
  expect(counted).toMatchObject({ code: 0, stdout: '1 rule: 1 compiled; lints not shown: 1 (--lint)\n' })
  expect(shown.stdout).toMatch(/^lint\.yml:6:3: lint UNUSED_SELECTION: .*\n[^]*\n\n1 rule: 1 compiled\n$/)
})

test('shows control characters of a rule as text', async () => {
  const { stdout } = await check('escape.yml --lint')
  expect(stdout).not.toContain('\u202e')
})

test.for<[line: string, code: number, message: string]>([
  ['nowhere', 66, `rules path 'nowhere' cannot be read: there is no such file or directory`],
  ['empty', 65, `no rules (*.yml, *.yaml) in 'empty'`],
  ['good --output json', 2, `unknown option '--output' for 'tripline rules check'`],
])('%s ends with %i and says why', async ([line, code, message]) => {
  expect(await check(line)).toEqual({ code, stdout: '', stderr: `tripline: ${message}\n` })
})
