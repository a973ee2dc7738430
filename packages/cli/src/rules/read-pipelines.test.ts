import { rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { createFolder, runCaptured } from '../../test/run-captured.ts'
import { limits } from '../limits.ts'

const folder = createFolder({
  'rule.yml': `title: Login
logsource: { product: linux, service: sshd }
detection: { selection: { User: root }, condition: selection }
`,
  'names.yml': 'priority: 20\ntransformations: [{ type: field_name_mapping, mapping: { Account: who } }]',
  'first.yml': 'priority: 10\ntransformations: [{ type: field_name_mapping, mapping: { User: Account } }]',
  'refuse.yml': 'transformations: [{ type: rule_failure, message: not here }]',
  'long.yml': `# ${'-'.repeat(limits.optionFileBytesMax)}`,
  'broken.yml': 'transformations: [{ type: nonsense }]',
  'events.ndjson': '{"who":"root"}\n{"who":"eve"}\n{"User":"root"}\n',
})
afterAll(() => rmSync(folder, { recursive: true }))

async function detect(options: string) {
  const { code, stdout, stderr } = await runCaptured(`detect rule.yml --input events.ndjson ${options}`, { cwd: folder })
  return { code, lines: stdout.split('\n').filter((line) => line !== '').map((line) => (JSON.parse(line) as { line: number }).line), stderr }
}

const linux = '--logsource product=linux,service=sshd'

test.for<[options: string, lines: number[]]>([
  [linux, [3]],
  [`${linux} --pipeline names.yml --pipeline first.yml`, [1]],
  [`${linux} -p first.yml -p names.yml`, [1]],
  ['--logsource product=windows', []],
])('%s', async ([options, lines]) => {
  expect(await detect(options)).toEqual({ code: 0, lines, stderr: '' })
})

test.for<[options: string, code: number, message: string]>([
  ['--pipeline broken.yml', 65, "--pipeline 'broken.yml': line 1, column 21: transformations[0] has the type 'nonsense'"],
  ['--pipeline long.yml', 65, "--pipeline 'long.yml' is longer than 4,194,304 bytes"],
  ['--mapping long.yml', 65, "--mapping 'long.yml' is longer than 4,194,304 bytes"],
  ['--placeholders long.yml', 65, "--placeholders 'long.yml' is longer than 4,194,304 bytes"],
  ['--pipeline none.yml', 66, "--pipeline 'none.yml' cannot be read"],
  ['--pipeline refuse.yml', 65, 'no rule compiled'],
  ['--logsource sshd', 2, "option '--logsource' is 'sshd'"],
])('%s ends with %i', async ([options, code, message]) => {
  expect(await detect(options)).toEqual({ code, lines: [], stderr: expect.stringContaining(message) })
})

test('explain shows the rewritten rule on an event with the stated log source', async () => {
  const { stdout } = await runCaptured(`explain rule.yml --input events.ndjson ${linux} -p first.yml -p names.yml`, { cwd: folder })
  expect(stdout).toContain('✓ who=root')
})
