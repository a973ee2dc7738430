import { rmSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { createFolder, runCaptured } from '../../../test/run-captured.ts'
import { brokenRule, curlEvent, curlRule, rootEvent, shellEvent, shellRule, strayEvent } from '../../../test/sample-rules.ts'

/** Hangs on a regular expression without a literal. */
const letterRule = `title: Letters
logsource: {product: linux}
detection:
  selection: {User|re: '^[b-z]+$'}
  condition: selection
`

/** Requires nothing. */
const absentRule = `title: Not alice
logsource: {product: linux}
detection:
  selection: {User: alice}
  condition: not selection
`

const events = `${curlEvent}\n${rootEvent}\n${shellEvent}\n`
const folder = createFolder({
  'rules/curl.yml': curlRule,
  'rules/shell.yml': shellRule,
  'rules/letters.yml': letterRule,
  'rules/absent.yml': absentRule,
  'broken.yml': brokenRule,
  'events.ndjson': events,
  'events.ndjson.gz': gzipSync(events.repeat(100)),
  'stray.ndjson': `${strayEvent}\nnonsense\n`,
  'none.ndjson': '\n',
})
afterAll(() => rmSync(folder, { recursive: true }))

const cost = (line: string) => runCaptured(`rules cost ${line}`, { cwd: folder })

type Report = { readonly rules: readonly Record<string, unknown>[]; readonly totals: Record<string, unknown> }

async function costJson(line: string): Promise<Report> {
  const { code, stdout } = await cost(`${line} --json`)
  expect(code).toBe(0)
  return JSON.parse(stdout) as Report
}

test('gives a row per rule and the totals', async () => {
  const { rules, totals } = await costJson('rules --input events.ndjson')
  expect(Object.keys(rules[0]!)).toEqual([
    'id', 'title', 'share', 'ns_per_event', 'sampled_ns', 'met_events', 'candidates', 'asked', 'confirmed', 'requirement',
    'has_requirement', 'is_searchable', 'advice',
  ])
  expect(totals).toEqual({
    events: 3, unrouted: 0, matches: 5, malformed: 0, rules: 4, rules_without_requirement: 1, rules_not_searchable: 1,
    match_ms: expect.any(Number), charged_ms: expect.any(Number),
  })
})

test.for<[title: string, counts: readonly number[], requirement: string, advice: string | null]>([
  ['Letters', [300, 1, 0, 100], 'any User', 'nothing in it can be looked for, so that every new value is compared; '
    + 'add a literal that must be there, beside its regular expression or in it'],
  ['Not alice', [300, 3, 0, 200], 'anything',
    'no requirement: runs on every event of its logsource; add a literal that must be there'],
  ['Script download', [300, 1, 0, 100], 'Image .../curl', 'holds on 100 of the 300 events that it met: is it meant to?'],
  ['Shell', [300, 2, 0, 100], 'Image .../sh | Image .../bash', 'holds on 100 of the 300 events that it met: is it meant to?'],
])('%s', async ([title, counts, requirement, advice]) => {
  const { rules } = await costJson('rules --input events.ndjson.gz')
  const rule = rules.find((one) => one['title'] === title)
  expect(['met_events', 'candidates', 'asked', 'confirmed'].map((name) => rule?.[name])).toEqual(counts)
  expect(rule).toMatchObject({ requirement, advice, has_requirement: requirement !== 'anything' })
})

test('puts the slowest rule first, and shares add up', async () => {
  const { rules } = await costJson('rules --input events.ndjson.gz')
  expect(rules.map(({ title }) => title)[0]).toBe('Letters')
  expect(rules.reduce((sum, { share }) => sum + Number(share), 0)).toBeCloseTo(1, 3)
})

test('prints the slowest rules for people, then the totals', async () => {
  const { code, stdout, stderr } = await cost('rules --input events.ndjson --top 1')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const lines = stdout.replaceAll(/\d[\d,.]*(?= ms)/g, 'N').split('\n')
  expect(lines[0]).toBe(' SHARE    NS/EVENT        MET  CANDIDATES      ASKED  CONFIRMED  RULE')
  expect(lines[1]).toMatch(/^100\.0% +[\d,.]+ +3 +1 +0 +1 {2}Letters \(.*\)$/)
  expect(lines.slice(2)).toEqual([
    '          requires any User',
    '          nothing in it can be looked for, so that every new value is compared; '
      + 'add a literal that must be there, beside its regular expression or in it',
    '',
    'events    3, 0 of them of unknown logsource',
    'matches   5',
    'rules     4, 1 of them without a requirement, 1 with one that cannot be looked for',
    '  without Not alice',
    'matching  N ms, of which N ms are of single rules; the rest they share',
    '',
  ])
})

test('says which events it could not use', async () => {
  const { code, stderr } = await cost('rules/curl.yml broken.yml --input stray.ndjson')
  expect(code).toBe(0)
  expect(stderr.split('\n').map((line) => line.split(';')[0])).toEqual([
    'tripline: 2 rules: 1 compiled, 1 invalid',
    'tripline: 1 malformed line skipped',
    'tripline: 1 of 1 events have no known logsource and were tried with no rule',
    '',
  ])
})

test.for<[line: string, code: number, message: string]>([
  ['rules --input none.ndjson', 65, `no event in 'none.ndjson'`],
  ['broken.yml --input events.ndjson', 65, `no rule compiled (1 rule: 1 invalid); see 'tripline rules check'`],
  ['rules --input nowhere', 66, `input 'nowhere' cannot be read: there is no such file or directory`],
  ['rules --top 0', 2, `option '--top' is '0'; it takes a whole number from 1 to 100,000`],
  ['--input events.ndjson', 2, `'tripline rules cost' needs <rules>...`],
])('%s ends with %i and says why', async ([line, code, message]) => {
  expect(await cost(line)).toEqual({ code, stdout: '', stderr: `tripline: ${message}\n` })
})
