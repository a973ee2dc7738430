import { rmSync } from 'node:fs'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { createFolder, runCaptured } from '../../test/run-captured.ts'
import type { ContextOverrides } from '../../test/run-captured.ts'
import { brokenRule, curlEvent, curlRule, placeholderRule, rootEvent, shellEvent, shellRule, strayEvent } from '../../test/sample-rules.ts'
import { limits } from '../limits.ts'

const folder = createFolder({
  'rules/curl.yml': curlRule,
  'rules/shell.yml': shellRule,
  'broken/broken.yml': brokenRule,
  'broken/curl.yml': curlRule,
  'placeholder/admin.yml': placeholderRule,
  'escaping.yml': curlRule.replace('Script download', '"a\\e[2Jb"'),
  'array.yml': shellRule.replace('Image|endswith: [/sh, /bash]', "'names[any]': eve"),
  'empty/readme.txt': 'no rule',
  'admins.json': '{"admins":["alice"]}',
  'no-list.json': '{"admins":"alice"}',
  'no-object.json': '[]',
  'no-json.json': '{',
  'events.ndjson': `${curlEvent}\n${rootEvent}\n${shellEvent}\n`,
  'events.ndjson.gz': gzipSync(`${curlEvent}\n${rootEvent}\n${shellEvent}\n`),
  'packed': Buffer.concat([gzipSync(`${curlEvent}\n`), gzipSync(`${rootEvent}\n${shellEvent}`)]),
  // Its last line has no line feed.
  'logs/a.ndjson': `${rootEvent}\n${curlEvent}`,
  'logs/b.ndjson': `${curlEvent}\n`,
  'logs/deep/c.jsonl.gz': gzipSync(`${curlEvent}\n`),
  'logs/notes.txt': 'no events',
  'var/messages': '<34>Nov 22 10:00:00 web-1 sshd[7]: Failed password for root\n',
  'var/audit/records': 'type=SYSCALL msg=audit(1606035600.101:1): syscall=59 exe="/usr/bin/curl"\n',
  'var/rotated.ndjson.3.gz': gzipSync(`${curlEvent}\n`),
  'var/lines.2026-11-22': `${curlEvent}\n`,
  'var/packed-lines': zstdCompressSync(`${curlEvent}\n`),
  'var/wide': Buffer.from(`\ufeff${curlEvent}\n`, 'utf16le'),
  'var/app.log-20261122': `${curlEvent}\n`,
  'var/read.me': 'how = to\nread = this\n',
  'var/rules.yml': curlRule,
  'var/table': 'Image,CommandLine\n/usr/bin/curl,x\n',
  'var/archive.tar.gz': gzipSync(Buffer.concat([Buffer.from('a.ndjson'), Buffer.alloc(504), Buffer.from(`${curlEvent}\n`)])),
  'var/torn': gzipSync(`${curlEvent}\n`.repeat(1000)).subarray(0, 12),
  'pretty.json': JSON.stringify([rootEvent, curlEvent].map((text): unknown => JSON.parse(text)), undefined, 2),
  'cloud.json': `{"Records":[${rootEvent},${curlEvent}]}`,
  'wide.json': Buffer.from(`\ufeff${rootEvent}\n${curlEvent}\n`, 'utf16le'),
  'process.csv.zst': zstdCompressSync('Image,CommandLine\n/bin/ls,ls\n/usr/bin/curl,"curl http://10.0.0.1/a.sh"\n"x'),
  'torn.ndjson': '{}\n{"a\n',
  'torn.gz': gzipSync(`${curlEvent}\n`.repeat(1000)).subarray(0, 60),
})
afterAll(() => rmSync(folder, { recursive: true }))

/** The lines of stdout as objects. */
async function detect(line: string, surroundings: ContextOverrides = {}) {
  const captured = await runCaptured(`detect ${line}`, { cwd: folder, ...surroundings })
  return { ...captured, matches: captured.stdout.split('\n').slice(0, -1).map((text) => JSON.parse(text) as Record<string, unknown>) }
}

test.for<[file: string, line: number]>([
  ['pretty.json', 2],
  ['cloud.json', 2],
  ['wide.json', 2],
])('recognises %s', async ([file, line]) => {
  expect(await detect(`rules/curl.yml --lenient --input ${file}`)).toMatchObject({ code: 0, stderr: '', matches: [{ line }] })
})

test('reports what a decoder cannot read under its line, and counts it', async () => {
  const { code, stderr, matches } = await detect('rules/curl.yml --lenient --allow-malformed 0.2 --input process.csv.zst')
  expect({ code, matches }).toMatchObject({ code: 65, matches: [{ line: 3 }] })
  expect(stderr).toContain('tripline: line 4 skipped: a quote is not closed\n')
  expect(stderr).toContain('1 of 3 lines are malformed')
})

test('a stated format is used, whatever the bytes say', async () => {
  const { code, stderr } = await detect('rules/curl.yml --input-format evtx --input events.ndjson')
  expect(code).toBe(65)
  expect(stderr).toContain('the log ends')
})

/** The input lines that matched. */
async function matchedLines(line: string, surroundings: ContextOverrides = {}): Promise<unknown[]> {
  return (await detect(line, surroundings)).matches.map((match) => match['line'])
}

test('prints a match as one line of JSON with its keys in this order', async () => {
  const { code, stdout, stderr } = await detect('rules/curl.yml', { stdin: `${curlEvent}\n` })
  expect(stdout).toBe('{"line":1,"rule_id":"6f2d1c1e-0f5b-4b7e-9d3a-0d7d3c8f0001","title":"Script download","level":"high",'
    + '"matched_conditions":["selection: Image|endswith=/curl","selection: CommandLine|contains=.sh"]}\n')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

test('gives a rule without id a stable one, and null for a level', async () => {
  const [first] = (await detect('rules', { stdin: shellEvent })).matches
  const [again] = (await detect('rules/shell.yml', { stdin: shellEvent })).matches
  expect(first).toMatchObject({ title: 'Shell', level: null, rule_id: expect.stringMatching(/./) })
  expect(again?.['rule_id']).toBe(first?.['rule_id'])
})

test.for<[title: string, input: string, places: [path: string, line: number][]]>([
  ['two files in the order given', '--input logs/b.ndjson --input logs/a.ndjson', [['logs/b.ndjson', 1], ['logs/a.ndjson', 2]]],
  ['a directory by path, with what is below it', '--input logs',
    [['logs/a.ndjson', 2], ['logs/b.ndjson', 1], ['logs/deep/c.jsonl.gz', 1]]],
  ['a pattern', '--input logs/*.ndjson', [['logs/a.ndjson', 2], ['logs/b.ndjson', 1]]],
  ['a file once, however often it is named', '--input logs/a.ndjson --input logs --input ./logs/b.ndjson',
    [['logs/a.ndjson', 2], ['logs/b.ndjson', 1], ['logs/deep/c.jsonl.gz', 1]]],
  ['stdin among files', '--input logs/a.ndjson --input -', [['logs/a.ndjson', 2], ['-', 1]]],
])('reads %s, and names the input of a match', async ([, input, places]) => {
  const { matches, stderr } = await detect(`rules/curl.yml ${input}`, { stdin: `${curlEvent}\n` })
  expect(matches.map((match) => [match['input'], match['line']])).toEqual(places)
  const notes = 'tripline: one file is left out, whose name and beginning tell no events: logs/notes.txt; name a file itself to read it\n'
  expect(stderr).toBe(/ logs(?= |$)/.test(input) ? notes : '')
})

test('reads the files of a directory by their content where their names do not tell, and names those that it leaves out', async () => {
  const { matches, stderr } = await detect('rules/curl.yml --input var --stats')
  expect(matches.map((match) => match['input'])).toEqual([
    'var/app.log-20261122', 'var/lines.2026-11-22', 'var/packed-lines', 'var/rotated.ndjson.3.gz', 'var/wide',
  ])
  expect(stderr).toContain('tripline: 5 files are left out, whose name and beginning tell no events: var/archive.tar.gz, var/read.me, '
    + 'var/rules.yml, var/table, var/torn; name a file itself to read it\n')
  expect(stderr).toContain('"events":7')
})

test('events in place of rules are refused before stdin is awaited', async () => {
  const { code, stderr } = await detect('rules/curl.yml events.ndjson')
  const message = "rules path 'events.ndjson' is named like a file of events; rules are *.yml files, and --input names events"
  expect({ code, stderr }).toEqual({ code: 2, stderr: `tripline: ${message}\n` })
})

test('counts malformed lines in the file that holds them', async () => {
  const { stderr } = await detect('rules/curl.yml --input logs/a.ndjson --input torn.ndjson')
  expect(stderr).toContain('tripline: torn.ndjson: line 2 skipped: ')
})

test.for<[title: string, input: string, message: string]>([
  ['a pattern without files', 'logs/*.csv', 'the pattern matches no file'],
  ['a directory without events', 'empty', 'the directory holds no file of events, such as *.ndjson, *.evtx or *.csv.gz'],
  ['a file that does not exist', 'logs/a.ndjson --input missing.ndjson', 'there is no such file or directory'],
])('refuses %s', async ([, input, message]) => {
  const { code, stdout, stderr } = await detect(`rules --input ${input}`)
  expect({ code, stdout }).toEqual({ code: 66, stdout: '' })
  expect(stderr).toContain(message)
})

test.for<[stdin: string, option: string, code: number]>([
  ['x\ny\n', '', 65],
  ['x\n{}\n', '', 0],
  ['\n', '', 0],
  ['x\n{}\n', ' --allow-malformed 0', 65],
  ['x\n{}\n', ' --allow-malformed 0.4', 65],
  ['x\n{}\n', ' --allow-malformed 0.5', 0],
  ['x\ny\n', ' --allow-malformed 1', 0],
  ['{}\n', ' --allow-malformed 0', 0],
])('of the input %j with%s the exit code is %i', async ([stdin, option, code]) => {
  expect((await detect(`rules${option}`, { stdin })).code).toBe(code)
})

test.for<[option: string, message: string]>([
  ['', "no line of the input holds an event: 1 malformed line; state the format with --input-format, or allow this with --allow-malformed 1"],
  [' --allow-malformed 0.25', '1 of 1 lines are malformed, a share of 1.000; --allow-malformed is 0.25'],
])('says what is wrong with an input without events%s', async ([option, message]) => {
  expect((await detect(`rules${option}`, { stdin: 'x\n' })).stderr).toContain(`tripline: ${message}\n`)
})

test.for<[title: string, input: string, lines: number[]]>([
  ['a file', '--input events.ndjson', [1, 3]],
  ['a packed file', '--input events.ndjson.gz', [1, 3]],
  ['a packed file of several members whose name does not tell', '--input packed', [1, 3]],
])('reads %s', async ([, input, lines]) => {
  expect(await matchedLines(`rules ${input}`)).toEqual(lines)
})

const bytewise = (text: string | Buffer): Buffer[] => Array.from(Buffer.from(text), (byte) => Buffer.from([byte]))

test.for<[title: string, stdin: string | Buffer | Buffer[], lines: number[]]>([
  ['nothing', '', []],
  ['a last line without line feed', `${rootEvent}\n${curlEvent}`, [2]],
  ['carriage returns', `${curlEvent}\r\n${curlEvent}\r\n`, [1, 2]],
  ['a byte order mark', `\ufeff${curlEvent}\n${curlEvent}`, [1, 2]],
  ['blank lines, which count', `\n  \n${curlEvent}\n\n\n${curlEvent}\n`, [3, 6]],
  ['single bytes', bytewise(`${curlEvent}\n${curlEvent}`), [1, 2]],
  ['single packed bytes', bytewise(gzipSync(`${curlEvent}\n${curlEvent}`)), [1, 2]],
  ['bytes that are not UTF-8', Buffer.from(curlEvent.replace('{', '{"\u00ff":1,'), 'latin1'), [1]],
  ['more events than a piece holds', `${rootEvent}\n`.repeat(50_000) + curlEvent, [50_001]],
])('reads %s from stdin', async ([, stdin, lines]) => {
  const { matches, stderr } = await detect('rules', { stdin })
  expect(matches.map((match) => match['line'])).toEqual(lines)
  expect(stderr).toBe('')
})

test('skips malformed lines, says why, and goes on', async () => {
  const deep = `{"a":${'['.repeat(300)}${']'.repeat(300)}}`
  const long = `{"a":"${'x'.repeat(limits.lineBytesMax)}"}`
  const stdin = ['nonsense', '[1]', deep, long, curlEvent].join('\n')
  const { code, matches, stderr } = await detect('rules --stats', { stdin })
  expect(matches.map((match) => match['line'])).toEqual([5])
  expect(code).toBe(0)
  expect(stderr.split('\n').slice(0, 5)).toEqual([
    expect.stringContaining('tripline: line 1 skipped: not JSON: '),
    'tripline: line 2 skipped: a list, not an object',
    'tripline: line 3 skipped: nested deeper than 200 levels',
    'tripline: line 4 skipped: longer than 4,194,304 bytes',
    'tripline: 4 malformed lines skipped',
  ])
  expect(stderr).toContain('"events":1,"malformed":4,')
})

test('shows the first malformed lines and counts the rest', async () => {
  const { stderr } = await detect('rules', { stdin: 'x\n'.repeat(limits.malformedShownMax + 5) })
  expect(stderr.match(/ skipped: /g)).toHaveLength(limits.malformedShownMax)
  expect(stderr).toContain('tripline: 25 malformed lines skipped, 5 of them not shown\n')
})

test('prints counts and times as one JSON object', async () => {
  const { stderr } = await detect('rules broken/broken.yml placeholder --input events.ndjson --output none --stats')
  const stats: unknown = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')
  expect(stats).toEqual({
    events: 3,
    malformed: 0,
    rules: { compiled: 2, needs_configuration: 1, unsupported: 0, invalid: 1 },
    matches: 2,
    rules_matched: 2,
    unrouted: 0,
    match_ms: expect.any(Number),
    wall_ms: expect.any(Number),
  })
})

test('adds the event as it stood in the input', async () => {
  const event = curlEvent.replace('{', '{ "big": 9007199254740993, "__proto__": {"a": 1e999}, ')
  const { stdout } = await detect('rules --include-event', { stdin: `  ${event} \r\n` })
  expect(stdout).toContain(`],"event":${event}}\n`)
})

test('adds the tree of the rule', async () => {
  const { matches: [match] } = await detect('rules --include-event --explain', { stdin: curlEvent })
  expect(Object.keys(match ?? {})).toEqual(['line', 'rule_id', 'title', 'level', 'matched_conditions', 'event', 'explain'])
  expect(match?.['explain']).toMatchObject({ result: true, children: expect.any(Array) })
})

test('prints a table, and totals below', async () => {
  const { stdout } = await runCaptured('detect rules --input events.ndjson --output table', { cwd: folder })
  expect(stdout.split('\n')).toEqual([
    '    LINE  TIME                  LEVEL          HOST              USER              TITLE                                     ATT&CK        CONDITIONS',
    '       1  -                     high           -                 -                 Script download                           -             '
      + 'selection: Image|endswith=/curl; selection: CommandLine|contains=.sh',
    '       3  -                     -              -                 alice             Shell                                     -             shell: Image|endswith=/bash',
    '',
    '2 matches, 2 rules, 0 hosts',
    '       1  high           Script download  rules/curl.yml',
    '       1  -              Shell  rules/shell.yml',
    'users: alice 1',
    '',
  ])
})

test('shows control characters of a rule in the table as text', async () => {
  const { stdout } = await runCaptured('detect escaping.yml --output table', { cwd: folder, stdin: curlEvent })
  expect(stdout).toContain('a\\u{1b}[2Jb')
})

test.for<[line: string, code: number]>([
  ['--fail-on informational', 1],
  ['--fail-on high', 1],
  ['--fail-on critical', 0],
])('%s', async ([line, code]) => {
  expect((await detect(`rules --input events.ndjson ${line}`)).code).toBe(code)
})

test('a rule without level never fails a run', async () => {
  expect((await detect('rules --fail-on informational', { stdin: shellEvent })).code).toBe(0)
})

test('hints at events of unknown logsource', async () => {
  const { matches, stderr } = await detect('rules', { stdin: `${strayEvent}\n${curlEvent}\n${strayEvent}` })
  expect(matches.map((match) => match['line'])).toEqual([2])
  expect(stderr).toBe('tripline: 2 of 3 events have no known logsource and were tried with no rule; '
    + 'name it in their field _logsource, or try every rule with --lenient\n')
})

test('tries every rule on them with --lenient', async () => {
  const { matches, stderr } = await detect('rules --lenient', { stdin: strayEvent })
  expect(matches.map((match) => match['line'])).toEqual([1])
  expect(stderr).toBe('')
})

test('reads array syntax when told to', async () => {
  const stdin = JSON.stringify({ _logsource: { product: 'linux', category: 'process_creation' }, names: ['bob', 'eve'] })
  expect(await matchedLines('array.yml', { stdin })).toEqual([])
  expect(await matchedLines('array.yml --array-syntax', { stdin })).toEqual([1])
})

test('takes the values of placeholders', async () => {
  const lines = await matchedLines('placeholder --placeholders admins.json', { stdin: `${rootEvent}\n${shellEvent}` })
  expect(lines).toEqual([2])
})

test('says in one line that some rules do not take part', async () => {
  const { code, stderr } = await detect('broken placeholder', { stdin: curlEvent })
  expect(code).toBe(0)
  expect(stderr).toBe(`tripline: 3 rules: 1 compiled, 1 needs_configuration, 1 invalid; 'tripline rules check' shows why some cannot run\n`)
})

test.for<[line: string, code: number, message: string]>([
  ['broken/broken.yml', 65, `no rule compiled (1 rule: 1 invalid); see 'tripline rules check'`],
  ['placeholder', 65, `no rule compiled (1 rule: 1 needs_configuration); see 'tripline rules check'`],
  ['empty', 65, `no rules (*.yml, *.yaml) in 'empty'`],
  ['nowhere', 66, `rules path 'nowhere' cannot be read: there is no such file or directory`],
  ['rules --input nowhere', 66, `input 'nowhere' cannot be read: there is no such file or directory`],
  ['rules --input rules', 66, `input 'rules' cannot be read: the directory holds no file of events, such as *.ndjson, *.evtx or *.csv.gz`],
  ['rules --input torn.gz', 66, `input 'torn.gz' cannot be read: its gzip is broken: unexpected end of file`],
  ['rules --placeholders nowhere', 66, `--placeholders 'nowhere' cannot be read: there is no such file or directory`],
  ['rules --placeholders no-json.json', 2, `--placeholders 'no-json.json' is no JSON: `],
  ['rules --placeholders no-object.json', 2, `--placeholders 'no-object.json' holds no JSON object of names and lists`],
  ['rules --placeholders no-list.json', 2, `--placeholders 'no-list.json': the value of 'admins' is no list of texts and numbers`],
  ['rules --fail-on severe', 2, `option '--fail-on' is 'severe'; it takes one of informational, low, medium, high, critical`],
  ['rules --output table --explain', 2, `option '--explain' needs '--output ndjson'`],
  ['rules --output none --include-event', 2, `option '--include-event' needs '--output ndjson'`],
])('detect %s ends with %i', async ([line, code, message]) => {
  const captured = await detect(line)
  expect(captured.stderr).toContain(`tripline: ${message}`)
  expect(captured.code).toBe(code)
})

test('draws a progress bar on a terminal only', async () => {
  const onTerminal = await detect('rules --input events.ndjson --output none', { isTty: true })
  const elsewhere = await detect('rules --input events.ndjson --output none')
  expect(onTerminal.stderr).toMatch(/\[#{24}\] 100% {2}0\.0 MiB of 0\.0 MiB {2}[\d,]+ events\/s\r\u001b\[K$/)
  expect(elsewhere.stderr).toBe('')
})
