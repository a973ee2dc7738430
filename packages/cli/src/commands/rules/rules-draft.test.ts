import { rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { createFolder, runCaptured } from '../../../test/run-captured.ts'

const event = (user: string, action: string): string => JSON.stringify({ _logsource: { product: 'app' }, user, action })
const rule = `title: Failed
id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0301
logsource: { product: app }
detection: { selection: { action: fail }, condition: selection }
`
const folder = createFolder({
  'rule.yml': rule, 'bad.ndjson': `${event('robot', 'fail')}\n${event('robot', 'fail')}\n`, 'good.ndjson': event('alice', 'fail'), 'ok.ndjson': event('robot', 'ok'),
})
afterAll(() => rmSync(folder, { recursive: true }))
const tripline = (line: string) => runCaptured(line, { cwd: folder })

test('rules draft prints a rule that matches the events', async () => {
  const { code, stdout } = await tripline('rules draft --input bad.ndjson --without good.ndjson --without ok.ndjson --title Robots')
  expect(code).toBe(0)
  expect(stdout).toContain("title: 'Robots'")
  expect(stdout).toContain("user: 'robot'")
  expect(stdout).toContain("action: 'fail'")
})

test('rules tune prints a filter that keeps true positives', async () => {
  const { code, stdout } = await tripline('rules tune rule.yml --input bad.ndjson --true-positives good.ndjson')
  expect(code).toBe(0)
  expect(stdout).toContain("rules: ['0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0301']")
  expect(stdout).toContain("user: 'robot'")
})

test.for<[line: string, name: string]>([
  ['rules draft --input bad.ndjson --without good.ndjson --title Robots', 'rule'],
  ['rules tune rule.yml --input bad.ndjson --true-positives good.ndjson', 'filter'],
])('%s --json prints one object with the YAML', async ([line, name]) => {
  const { stdout } = await tripline(`${line} --json`)
  expect(JSON.parse(stdout)).toEqual({ [name]: (await tripline(line)).stdout })
})

test('rules draft --json says as JSON why there is no rule', async () => {
  const { code, stdout, stderr } = await tripline('rules draft --input bad.ndjson --without bad.ndjson --json')
  expect([code, stdout, JSON.parse(stderr)]).toEqual([1, '', { error: { message: expect.stringContaining('nothing that the events'), exit_code: 1 } }])
})

test.for<[line: string, code: number, message: string]>([
  ['rules draft --input bad.ndjson --without bad.ndjson', 1, 'nothing that the events have in common tells them from the others'],
  ['rules tune rule.yml --input ok.ndjson', 1, 'the rule matches none of the false positives'],
  ['rules tune . --input bad.ndjson --true-positives good.ndjson', 0, ''],
  ['rules tune nowhere.yml --input bad.ndjson', 66, 'nowhere.yml'],
])('%s ends with %i', async ([line, code, message]) => {
  const captured = await tripline(line)
  expect(captured.code).toBe(code)
  expect(captured.stderr).toContain(message)
})
