import { chmodSync, lstatSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createFolder, runCaptured } from '../../../test/run-captured.ts'
import { brokenRule } from '../../../test/sample-rules.ts'

const cleanRule = `title: Shell Started
id: 6f2d1c1e-0f5b-4b7e-9d3a-0d7d3c8f0011
status: test
description: Services have no use for a shell.
author: Tripline
date: 2024-03-07
logsource:
  category: process_creation
  product: linux
detection:
  selection:
    Image|endswith: /sh
  condition: selection
level: high
`
const untidyRule = cleanRule.replace('level: high', 'level: High').replace('Image|endswith: /sh', "Image: '*/sh' # The shell.").replace('0011', '0012').replace('Shell Started', 'Shell Untidy')
const styleOnly = cleanRule.replace('title: Shell Started', 'title: Shell.').replace('0011', '0013').replace('/sh', '/zsh')
const problemRule = cleanRule.replace("condition: selection", 'condition: selection and not selection').replace('0011', '0014').replace('Shell Started', 'Shell Problem')
const correlation = `${cleanRule.replace('0011', '0015')}name: shells
---
title: Many Shells
id: 6f2d1c1e-0f5b-4b7e-9d3a-0d7d3c8f0016
status: test
description: A shell is started again and again.
author: Tripline
date: 2024-03-07
correlation:
  type: event_count
  rules:
    - shells
  group-by:
    - User
  timespan: 90d
  condition:
    gte: 10
level: high
`

const folders: string[] = []
function lintFolder(): string {
  const folder = createFolder({
    'clean/shell_started.yml': cleanRule,
    'untidy/shell_untidy.yml': untidyRule,
    'style/shell_style.yml': styleOnly,
    'problem/shell_problem.yml': problemRule,
    'broken/shell_broken.yml': brokenRule,
    'count/many_shells.yml': correlation,
    'latin/shell_latin.yml': Buffer.from(untidyRule.replace('Services', 'Caf\u00e9s'), 'latin1'),
    'empty/readme.txt': '',
  })
  folders.push(folder)
  return folder
}
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })))

const folder = lintFolder()
const lint = (line: string, cwd = folder) => runCaptured(`rules lint ${line}`, { cwd })

test.for<[line: string, code: number, totals: string]>([
  ['clean', 0, '1 file: nothing found'],
  ['untidy', 0, '1 file: 2 style; 2 can be fixed safely (--fix)'],
  ['style clean', 0, '2 files: 1 style; 1 can be fixed safely (--fix)'],
  ['problem', 1, '1 file: 1 problem'],
  ['broken', 1, '1 file: 1 error, 2 advice, 1 style'],
  ['broken --level optional', 1, '1 file: 1 error, 2 advice, 1 style, 3 optional'],
  ['broken --only MISSING_AUTHOR', 1, '1 file: 1 error, 1 optional'],
  ['broken --level problem', 1, '1 file: 1 error'],
  ['untidy --only LEVEL_CASE', 0, '1 file: 1 style; 1 can be fixed safely (--fix)'],
  ['untidy --ignore level_case,WILDCARDS_FOR_MODIFIER', 0, '1 file: nothing found'],
  ['problem --ignore CONDITION_NEVER_HOLDS', 0, '1 file: nothing found'],
  ['count', 0, '1 file: nothing found'],
  ['count --retention 90d', 0, '1 file: nothing found'],
  ['count --retention 30d', 1, '1 file: 1 problem'],
])('%s ends with %i: %s', async ([line, code, totals]) => {
  const captured = await lint(line)
  expect(captured.stdout.trimEnd().split('\n').at(-1)).toBe(totals)
  expect(captured).toMatchObject({ code, stderr: '' })
})

test('shows the place of a finding with a caret, and a hint', async () => {
  const { stdout } = await lint('untidy')
  expect(stdout).toContain(`untidy/shell_untidy.yml:12:5: style WILDCARDS_FOR_MODIFIER: the wildcards of 'Image' do the work of 'endswith'
12 |     Image: '*/sh' # The shell.
         ^
  hint: write 'Image|endswith'
`)
})

test('prints JSON', async () => {
  const { stdout } = await lint('untidy style --json --ignore TITLE_DOT')
  const { files, fixed, totals } = JSON.parse(stdout) as { files: { path: string; findings: object[] }[]; fixed: unknown; totals: unknown }
  expect(files.map(({ path }) => path)).toEqual(['untidy/shell_untidy.yml'])
  expect(files[0]?.findings[1]).toEqual({
    code: 'LEVEL_CASE', level: 'style', message: "'level' has upper-case letters: High", line: 14, column: 8, attribute: 'level', hint: null,
    fix: { safe: true, edits: [{ offset: untidyRule.indexOf('High'), length: 4, text: 'high' }] },
  })
  expect({ fixed, totals }).toEqual({ fixed: [], totals: { files: 2, error: 0, problem: 0, advice: 0, style: 2, optional: 0, fixable: 2 } })
})

test('--fix mends files in place, says so, and leaves the rest of them as it is', async () => {
  const cwd = lintFolder()
  chmodSync(join(cwd, 'untidy/shell_untidy.yml'), 0o666)
  symlinkSync('../untidy/shell_untidy.yml', join(cwd, 'clean/linked_shell.yml'))
  const { code, stdout, stderr } = await lint('clean problem --fix', cwd)
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  expect(stdout).toContain('fixed clean/linked_shell.yml: WILDCARDS_FOR_MODIFIER, LEVEL_CASE\n\n3 files: 2 problem')
  const text = readFileSync(join(cwd, 'untidy/shell_untidy.yml'), 'utf8')
  expect(text).toBe(untidyRule.replace("Image: '*/sh'", "Image|endswith: '/sh'").replace('High', 'high'))
  expect(statSync(join(cwd, 'untidy/shell_untidy.yml')).mode & 0o777).toBe(0o666)
  expect(lstatSync(join(cwd, 'clean/linked_shell.yml')).isSymbolicLink()).toBe(true)
  expect(readdirSync(join(cwd, 'untidy'))).toEqual(['shell_untidy.yml'])
  expect((await lint('clean problem --fix', cwd)).stdout).not.toContain('fixed ')
})

test('--fix leaves a file alone that is not UTF-8, and says so', async () => {
  const cwd = lintFolder()
  const before = readFileSync(join(cwd, 'latin/shell_latin.yml'))
  const { stderr, stdout } = await lint('latin --fix', cwd)
  expect(stderr).toBe("tripline: 'latin/shell_latin.yml' was not fixed: it changed since it was read, or is not UTF-8\n")
  expect(stdout).not.toContain('fixed latin')
  expect(readFileSync(join(cwd, 'latin/shell_latin.yml')).equals(before)).toBe(true)
})

test('shows progress on a terminal only', async () => {
  expect((await runCaptured('rules lint clean', { cwd: folder, isTty: true })).stderr).toContain('linting 1 files')
})

test('--github prints an annotation for each finding', async () => {
  const cwd = createFolder({ 'a,b.yml': 'title: "100%"\nlogsource: { product: any }\ndetection: { selection: { a|endwith: x }, condition: selection }\n' })
  const { code, stdout } = await runCaptured('rules lint a,b.yml --github', { cwd })
  expect(code).toBe(1)
  expect(stdout).toMatch(/^::error file=a%2Cb\.yml,line=3,col=\d+,title=UNKNOWN_MODIFIER::[^\n]+\n/m)
  expect(stdout.split('\n').slice(0, -1).every((line) => /^::(?:error|warning|notice) file=/.test(line))).toBe(true)
})

test('--sarif writes a log that names every check, place and fix', async () => {
  const cwd = lintFolder()
  await lint('untidy problem broken --sarif out.sarif', cwd)
  const log = JSON.parse(readFileSync(join(cwd, 'out.sarif'), 'utf8')) as SarifLog
  expect({ version: log.version, schema: log.$schema, runs: log.runs.length })
    .toEqual({ version: '2.1.0', schema: expect.stringContaining('sarif-2.1.0'), runs: 1 })
  const [run] = log.runs
  const { rules } = run!.tool.driver
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length)
  for (const { id, shortDescription, help, defaultConfiguration } of rules) {
    expect(id).toMatch(/^[A-Z\d_]+$/)
    expect(shortDescription.text).toMatch(/\.$/)
    expect(help.text).toContain(shortDescription.text)
    expect(['error', 'warning', 'note']).toContain(defaultConfiguration.level)
  }
  for (const { ruleId, ruleIndex, level, message, locations } of run!.results) {
    expect(rules[ruleIndex]?.id).toBe(ruleId)
    expect(['error', 'warning', 'note']).toContain(level)
    expect(message.text).not.toBe('')
    const [{ physicalLocation }] = locations
    expect(physicalLocation.artifactLocation.uri).toMatch(/^\w+\/\w+\.yml$/)
    expect(physicalLocation.region.startLine).toBeGreaterThan(0)
    expect(physicalLocation.region.startColumn).toBeGreaterThan(0)
  }
  const levels = run!.results.map(({ ruleId, level }) => `${ruleId} ${level}`)
  expect(levels).toEqual(expect.arrayContaining(['UNKNOWN_SELECTION error', 'CONDITION_NEVER_HOLDS warning', 'LEVEL_CASE note']))
  expect(run!.results.find(({ ruleId }) => ruleId === 'LEVEL_CASE')?.fixes).toEqual([{
    description: { text: 'The rule matches the same events afterwards.' },
    artifactChanges: [{
      artifactLocation: { uri: 'untidy/shell_untidy.yml' },
      replacements: [{ deletedRegion: { charOffset: untidyRule.indexOf('High'), charLength: 4 }, insertedContent: { text: 'high' } }],
    }],
  }])
})

type SarifLog = {
  readonly version: string
  readonly $schema: string
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly {
      readonly id: string
      readonly shortDescription: { readonly text: string }
      readonly help: { readonly text: string }
      readonly defaultConfiguration: { readonly level: string }
    }[] } }
    readonly results: readonly {
      readonly ruleId: string
      readonly ruleIndex: number
      readonly level: string
      readonly message: { readonly text: string }
      readonly locations: readonly [{ readonly physicalLocation: {
        readonly artifactLocation: { readonly uri: string }
        readonly region: { readonly startLine: number; readonly startColumn: number }
      } }]
      readonly fixes?: unknown
    }[]
  }[]
}

test.for<[line: string, code: number, message: string]>([
  ['nowhere', 66, `rules path 'nowhere' cannot be read: there is no such file or directory`],
  ['empty', 65, `no rules (*.yml, *.yaml) in 'empty'`],
  ['clean --only LEVEL_CASES', 2, `option '--only' names 'LEVEL_CASES', which is not a check; did you mean 'LEVEL_CASE'?`],
  ['clean --retention soon', 2, `option '--retention' is 'soon'; it takes a number and s, m, h, d or w, such as 90d`],
  ['clean --level bad', 2, `option '--level' is 'bad'; it takes one of optional, style, advice, problem, error`],
  ['clean --sarif nowhere/out.sarif', 74, 'the output cannot be written: there is no such file or directory'],
])('%s ends with %i and says why', async ([line, code, message]) => {
  expect(await lint(line)).toEqual({ code, stdout: '', stderr: `tripline: ${message}\n` })
})
