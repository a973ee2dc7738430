import { readFileSync, readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { limits } from '../src/limits.ts'
import { createFolder, runCaptured } from './run-captured.ts'
import { brokenRule, curlEvent, curlRule, rootEvent, shellEvent, shellRule, strayEvent } from './sample-rules.ts'

// What `--jobs N` prints is what one job prints, byte for byte, whichever thread was ready to match a piece.

const fixtures = fileURLToPath(new URL('../../../fixtures/', import.meta.url))
const fixtureEvents = readdirSync(`${fixtures}events`).filter((name) => name.endsWith('.ndjson')).toSorted()
  .map((name) => readFileSync(`${fixtures}events/${name}`, 'utf8')).join('')

/** Lines of every kind in an order that looks random and is not, some of them longer than a piece. */
function generatedLines(lineCount: number): string[] {
  const kinds = [curlEvent, shellEvent, rootEvent, strayEvent, '', '  ', 'nonsense', '[1]', `${curlEvent}\r`, '{"a":']
  let state = 1
  return Array.from({ length: lineCount }, (_, index) => {
    if (index % 5_000 === 7) return shellEvent.replace('{', `{"padding":"${'x'.repeat(2 * limits.pieceBytesMax)}",`)
    state = (state * 48_271) % 2_147_483_647
    return kinds[state % kinds.length] ?? ''
  })
}

const generated = generatedLines(40_000)
const tooLong = `{"a":"${'x'.repeat(limits.lineBytesMax)}"}`
const folder = createFolder({
  'rules/curl.yml': curlRule,
  'rules/shell.yml': shellRule,
  'rules/broken.yml': brokenRule,
  'broken.yml': brokenRule,
  'aggregation.yml': curlRule.replace('  condition: selection\n', '  condition: selection | count() by Image > 2\n  timeframe: 5m\n'),
  'flow.yml': `${curlRule}---\n{title: Twice, "correlation": {type: event_count, rules: [6f2d1c1e-0f5b-4b7e-9d3a-0d7d3c8f0001], timespan: 1h, `
    + 'condition: {gte: 2}}}\n',
  'empty.ndjson': '',
  'fixtures.ndjson': fixtureEvents,
  'generated.ndjson': generated.join('\n'),
  'generated.ndjson.gz': gzipSync(`${generated.join('\n')}\n`),
  'long.ndjson': [curlEvent, tooLong, shellEvent, '', tooLong, tooLong, curlEvent, tooLong].join('\n'),
  'shells.yml': `${shellRule.replace('title: Shell', 'title: Shell\nname: shell')}
---
title: Many shells
correlation: { type: event_count, rules: [shell], timespan: 1h, condition: { gte: 40 }, firing: reset }
`,
  'torn.gz': gzipSync(generated.join('\n')).subarray(0, -8),
})
afterAll(() => rmSync(folder, { recursive: true }))

const onFixtures = '<fixtures>rules --placeholders <fixtures>placeholders.json --input fixtures.ndjson'

test.for<[options: string, code: number]>([
  ['rules --input empty.ndjson', 0],
  ['rules --input generated.ndjson', 0],
  ['rules --input generated.ndjson.gz --include-event', 0],
  ['rules --input generated.ndjson --output table --lenient', 0],
  ['rules --input generated.ndjson --output none --fail-on high', 1],
  ['rules --input generated.ndjson --output none --fail-on critical', 0],
  ['rules --input generated.ndjson --output none --stats', 0],
  ['rules --input long.ndjson --include-event', 0],
  ['shells.yml rules/curl.yml --input generated.ndjson --stats', 0],
  ['broken.yml --input empty.ndjson', 65],
  ['aggregation.yml --input generated.ndjson', 0],
  ['flow.yml --input long.ndjson', 0],
  [`${onFixtures} --include-event --explain --stats`, 0],
  [`${onFixtures} --lenient --output table`, 0],
  [`${onFixtures} --taxonomy none --lenient`, 0],
])('detect %s', async ([options, code]) => {
  const alone = await captured(options, 1)
  expect(alone.code).toBe(code)
  for (const jobs of [2, 3]) {
    const shared = await captured(options, jobs)
    // First where they part: a difference of two long texts is not for reading.
    expect(firstDifference(shared.stdout, alone.stdout)).toBe(undefined)
    expect(shared).toEqual(alone)
  }
})

test('an input that breaks off ends with its error, after matches of what came before', async () => {
  const whole = await captured('rules --input generated.ndjson', 1)
  for (const jobs of [1, 2, 3]) {
    const { code, stdout, stderr } = await captured('rules --input torn.gz', jobs)
    expect({ code, isStart: whole.stdout.startsWith(stdout) }).toEqual({ code: 66, isStart: true })
    expect(stderr).toContain(`tripline: input 'torn.gz' cannot be read: its gzip is broken: unexpected end of file\n`)
  }
})

test('reads stdin in single bytes and in one chunk', async () => {
  const text = `${curlEvent}\nnonsense\n${shellEvent}`
  const bytes = Array.from(Buffer.from(text), (byte) => Buffer.from([byte]))
  const alone = await runCaptured('detect rules', { cwd: folder, stdin: text })
  expect(alone.stdout).toMatch(/^\{"line":1,.*\n\{"line":3,.*\n$/)
  expect(await runCaptured('detect rules --jobs 2', { cwd: folder, stdin: text })).toEqual(alone)
  expect(await runCaptured('detect rules --jobs 2', { cwd: folder, stdin: bytes })).toEqual(alone)
})

test.for(['auto', '0'])('--jobs %s takes all cores', async (jobs) => {
  const line = `detect rules/curl.yml --jobs ${jobs} --stats`
  const { code, stderr } = await runCaptured(line, { cwd: folder, stdin: curlEvent })
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('"matches":1,') })
})

test('refuses another number', async () => {
  const { code, stderr } = await runCaptured('detect rules --jobs 65')
  expect(code).toBe(2)
  expect(stderr).toBe(`tripline: option '--jobs' is '65'; it takes auto or a number from 0 to 64\n`)
})

/** The first line where two texts part, as it is in each. */
function firstDifference(one: string, other: string): (number | string | undefined)[] | undefined {
  const [lines, otherLines] = [one.split('\n'), other.split('\n')]
  const at = lines.findIndex((line, index) => line !== otherLines[index])
  if (at !== -1) return [at, lines[at], otherLines[at]]
  return lines.length === otherLines.length ? undefined : [lines.length, undefined, otherLines[lines.length]]
}

/** What a run prints, its times left out. */
async function captured(options: string, jobs: number) {
  const line = `detect ${options} --jobs ${jobs}`.replaceAll('<fixtures>', fixtures)
  const { stderr, ...rest } = await runCaptured(line, { cwd: folder })
  return { ...rest, stderr: stderr.replaceAll(/"(\w+_ms)":[\d.]+/g, '"$1":0') }
}
