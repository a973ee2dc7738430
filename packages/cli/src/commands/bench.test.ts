import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { createFolder, runCaptured } from '../../test/run-captured.ts'
import type { ContextOverrides } from '../../test/run-captured.ts'
import { brokenRule, curlEvent, curlRule, rootEvent, shellEvent, shellRule, strayEvent } from '../../test/sample-rules.ts'
import { median } from '../measuring/bench-report.ts'

const events = `${curlEvent}\n${rootEvent}\n${strayEvent}\n${shellEvent}\n`
const folder = createFolder({
  'rules/curl.yml': curlRule,
  'rules/shell.yml': shellRule,
  'broken/broken.yml': brokenRule,
  'broken/curl.yml': curlRule,
  'events.ndjson': events.repeat(500),
  'events.ndjson.gz': gzipSync(events.repeat(500)),
  'few.ndjson': `${events}nonsense\n`,
  'none.ndjson': 'nonsense\n\n',
})
afterAll(() => rmSync(folder, { recursive: true }))

const bench = (line: string, surroundings: ContextOverrides = {}) =>
  runCaptured(`bench ${line.includes('--seconds') ? '' : '--seconds 0 '}${line}`, { cwd: folder, ...surroundings })

async function benchJson(line: string, surroundings?: ContextOverrides): Promise<Record<string, unknown>> {
  const { code, stdout } = await bench(`${line} --json`, surroundings)
  expect(code).toBe(0)
  return JSON.parse(stdout) as Record<string, unknown>
}

const figures = [
  'events', 'events_timed', 'malformed', 'events_compared_plainly', 'stride', 'rules', 'matches', 'json_parse_ns_per_event',
  'total_ns_per_event',
  'objects_match_ns_per_event', 'total_over_json_parse', 'objects_match_over_json_parse', 'spread', 'rounds',
  'events_per_second', 'compile_ms', 'heap_bytes_per_rule', 'heap_bytes_per_rule_compiled', 'clock',
]

test('prints one object with every figure', async () => {
  const report = await benchJson('rules --input events.ndjson')
  expect(Object.keys(report)).toEqual(figures)
  for (const [name, figure] of Object.entries(report)) {
    if (name === 'clock') expect(figure).toBe('wall')
    else if (name === 'spread') expect(figure).toEqual({ min: expect.any(Number), max: expect.any(Number) })
    else if (name.startsWith('heap')) expect(figure).toBeNull()
    else expect(figure).toEqual(expect.any(Number))
  }
})

test.for<[line: string, counts: Record<string, unknown>]>([
  ['rules --input events.ndjson', { events: 2_000, events_timed: 1_000, rules: 2, matches: 1_000 }],
  ['rules --input events.ndjson.gz', { events: 2_000, events_timed: 1_000, rules: 2, matches: 1_000 }],
  ['rules --input events.ndjson --lenient', { rules: 2, matches: 1_500 }],
  ['rules/curl.yml --input events.ndjson', { rules: 1, matches: 500 }],
  ['rules --input events.ndjson --multiply 5', { rules: 10, rounds: 3 }],
  ['rules --input few.ndjson', { events: 4, events_timed: 2, malformed: 1, matches: 2, stride: 1 }],
])('%s', async ([line, counts]) => {
  expect(await benchJson(line)).toMatchObject(counts)
})

test('counts what the fixtures match', async () => {
  const fixtures = fileURLToPath(new URL('../../../../fixtures/', import.meta.url))
  const line = `${fixtures}rules --placeholders ${fixtures}placeholders.json --input ${fixtures}events/windows-sysmon.ndjson`
  const detected = await runCaptured(`detect ${line}`)
  const matches = detected.stdout.split('\n').length - 1
  expect(matches).toBeGreaterThan(10)
  expect(await benchJson(line)).toMatchObject({ events: 24, matches })
})

const jobsFigures = ['jobs', 'jobs_events_per_second', 'jobs_over_one', 'jobs_spread']

test.for<[line: string, counts: Record<string, unknown>]>([
  ['--jobs 2', { jobs: 2, rules: 2, matches: 1_000, rounds: 3 }],
  ['--jobs auto --lenient --multiply 2', { jobs: 2, rules: 4 }],
])('%s times pools, too', async ([line, counts]) => {
  const report = await benchJson(`rules --input events.ndjson ${line}`)
  expect(report).toMatchObject(counts)
  expect(Object.keys(report)).toEqual(figures.toSpliced(figures.indexOf('compile_ms'), 0, ...jobsFigures))
  // The clock of these tests advances by one a look, so that every pool takes as long as the other.
  expect(report).toMatchObject({ jobs_events_per_second: 1_000_000, jobs_over_one: 1, jobs_spread: { min: 1, max: 1 } })
})

test('--jobs 1 times no pool', async () => {
  expect(Object.keys(await benchJson('rules --input events.ndjson --jobs 1'))).toEqual(figures)
})

test('goes on until the time is over', async () => {
  const report = await benchJson('rules --input few.ndjson --seconds 0.5')
  expect(report['rounds']).toBeGreaterThan(3)
})

test('measures processor time and memory where the process can', async () => {
  let ms = 0
  let bytes = 0
  const measures = { cpuNow: () => (ms += 2), heapBytes: () => (bytes += 1_000) }
  const report = await benchJson('rules --input events.ndjson', { measures })
  expect(report).toMatchObject({
    clock: 'thread cpu',
    json_parse_ns_per_event: 2_000,
    total_ns_per_event: 2_000,
    total_over_json_parse: 1,
    spread: { min: 1, max: 1 },
    events_per_second: 500_000,
    compile_ms: 2,
    heap_bytes_per_rule_compiled: 500,
    heap_bytes_per_rule: 1_000,
  })
})

test('says that a clock with long steps saw nothing', async () => {
  const report = await benchJson('rules --input events.ndjson', { measures: { cpuNow: () => 7 } })
  expect(report).toMatchObject({ total_over_json_parse: null, events_per_second: null, compile_ms: 0 })
})

test('prints a table for people', async () => {
  const { stdout, stderr } = await bench('rules --input events.ndjson')
  expect(stderr).toBe('')
  expect(stdout.split('\n').map((row) => row.slice(0, 20).trimEnd())).toEqual([
    'events', 'rules', 'matches', 'JSON.parse alone', 'bytes to matches', '  over JSON.parse', 'objects to matches',
    '  over JSON.parse', 'events per second', 'compiling', 'memory', 'clock', '',
  ])
  expect(stdout).toContain('2,000 (the last 1,000 are timed)')
  expect(stdout).toContain('memory              not measured\n')
})

test('the table has rows for pools that were timed', async () => {
  const { stdout } = await bench('rules --input events.ndjson --jobs 2')
  expect(stdout).toContain('  with workers      1,000,000 with 2 workers, wall time\n  over one worker   1 (1 to 1)\n')
})

test('says what is left out and what means little', async () => {
  const { stderr } = await bench('broken --input few.ndjson')
  expect(stderr.split('\n')).toEqual([
    `tripline: 1 malformed line skipped; 'tripline detect' lists them`,
    'tripline: times of 4 events are mostly noise; use 2,000 or more',
    `tripline: 2 rules: 1 compiled, 1 invalid; 'tripline rules check' shows why some cannot run`,
    '',
  ])
})

test('shows what it does on a terminal only', async () => {
  const { stderr } = await bench('rules --input events.ndjson', { isTty: true })
  expect(stderr).toMatch(/compiling.*comparing answers.*round 1.*round 3\r\u001b\[K$/s)
})

test.for<[line: string, code: number, message: string]>([
  ['broken/broken.yml --input few.ndjson', 65, 'no rule compiled (1 rule: 1 invalid)'],
  ['rules --input none.ndjson', 65, `no event in 'none.ndjson'`],
  ['rules --input nowhere', 66, `input 'nowhere' cannot be read: there is no such file or directory`],
  ['rules --multiply 0', 2, `option '--multiply' is '0'; it takes a whole number from 1 to 100`],
  ['rules --multiply 1.5', 2, `option '--multiply' is '1.5'; it takes a whole number from 1 to 100`],
  ['rules --multiply 101', 2, `option '--multiply' is '101'; it takes a whole number from 1 to 100`],
  ['rules --jobs some', 2, `option '--jobs' is 'some'; it takes auto or a number from 0 to 64`],
  ['rules --seconds soon', 2, `option '--seconds' is 'soon'; it takes a number from 0 to 3,600`],
  ['--input few.ndjson', 2, `'tripline bench' needs <rules>...`],
])('bench %s ends with %i', async ([line, code, message]) => {
  const captured = await bench(line)
  expect(captured.stderr).toContain(`tripline: ${message}`)
  expect(captured.code).toBe(code)
})

test.for<[values: number[], middle: number]>([
  [[3, 1, 2], 2],
  [[4, 1], 2.5],
  [[], NaN],
])('the median of %j is %d', ([values, middle]) => {
  expect(median(values)).toBe(middle)
})
