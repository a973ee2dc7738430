import { processRuntime } from '@tripline/common/runtime'
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { runCommandLine } from './run-command.ts'

type Outcome = { readonly code: number; readonly stdout: string; readonly stderr: string }

async function run(line: string): Promise<Outcome> {
  const [stdout, stderr]: [string[], string[]] = [[], []]
  const io = { ...processRuntime(), printLine: (text: string) => void stdout.push(text), logLine: (text: string) => void stderr.push(text) }
  const code = await runCommandLine(line.split(' ').filter((word) => word !== ''), io)
  return { code, stdout: stdout.join('\n'), stderr: stderr.join('\n') }
}

test.for<[line: string, message: string]>([
  ['statsu', "unknown command 'statsu'; did you mean 'status'?"],
  ['status --jsn', "unknown option '--jsn' for 'tripline-collector status'; did you mean '--json'?"],
  ['status extra', "unexpected argument 'extra' for 'tripline-collector status'"],
  ['logs -n', "option '--lines' needs a value: <n>"],
  ['logs -n 1 --lines 2', "option '--lines' is given more than once"],
  ['logs -n -1', "option '--lines' needs a value: <n>"],
  ['logs --lines=x', "option '--lines' is 'x'; it takes a number of lines"],
  ['enroll', "option '--token <token>' is missing for 'tripline-collector enroll'"],
  ['test', "'tripline-collector test' needs <file>"],
  ['test a b', 'one file is taken'],
  ['test a --seconds 0', "option '--seconds' is '0'; it takes a number from 1 to 3600"],
  ['completion tcsh', "unknown shell 'tcsh'; it is one of bash, zsh, fish"],
  ['man statsu', "unknown command 'statsu'; did you mean 'status'?"],
])('tripline-collector %s is refused with 2', async ([line, message]) => {
  expect(await run(line)).toEqual({ code: 2, stdout: '', stderr: `tripline-collector: ${message}` })
})

test.for(['run', 'reload', 'status', 'logs', 'test', 'enroll', 'completion', 'man'])("'%s' takes --json", async (name) => {
  expect((await run(`${name} --help`)).stdout).toMatch(/^ {2}(?:-\S, )?--json /m)
})

test.for<[line: string, code: number, message: string]>([
  ['statsu --json', 2, "unknown command 'statsu'; did you mean 'status'?"],
  ['test nowhere.yaml --json', 1, 'configuration: fail: '],
])('tripline-collector %s ends with an error as JSON', async ([line, code, message]) => {
  const { stderr, ...rest } = await run(line)
  expect({ ...rest, error: JSON.parse(stderr) }).toEqual({ code, stdout: '', error: { error: { message: expect.stringContaining(message), exit_code: code } } })
})

test('tripline-collector completion --json and man --json print objects', async () => {
  expect(JSON.parse((await run('completion bash --json')).stdout)).toEqual({ shell: 'bash', script: expect.stringContaining('_tripline_collector') })
  expect(JSON.parse((await run('man logs --json')).stdout)).toEqual({ page: expect.stringMatching(/^\.TH /) })
})

test.for<[line: string, printed: RegExp]>([
  ['', /^tripline-collector \d+\.\d+\.\d+: collects events on this machine/],
  ['-h', /Commands:\n {2}run /],
  ['--version', /^\d+\.\d+\.\d+$/],
  ['-v', /^\d+\.\d+\.\d+$/],
  ['logs -h', /^Usage: tripline-collector logs \[options\]\n/],
  ['help enroll', /^Usage: tripline-collector enroll --token <token> \[options\]\n/],
  ['man', /^\.TH TRIPLINE-COLLECTOR 1 /],
  ['man logs', /^\.B \\-n,\\: \\-\\-lines <n>$/m],
])('tripline-collector %s', async ([line, printed]) => {
  expect(await run(line)).toEqual({ code: 0, stdout: expect.stringMatching(printed), stderr: '' })
})

const isThere = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

test.skipIf(!isThere('bash')).for<[words: readonly string[], offered: readonly string[]]>([
  [['sta'], ['status']],
  [['logs', '--s'], ['--source']],
  [['completion', ''], ['bash', 'fish', 'zsh']],
])('bash completes %j', async ([words, offered]) => {
  const { stdout: script } = await run('completion bash')
  const line = ['tripline-collector', ...words].map((word) => `'${word}'`).join(' ')
  const ask = `${script}\nCOMP_WORDS=(${line}) COMP_CWORD=${words.length}; _tripline_collector; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync('bash', ['-c', ask], { encoding: 'utf8' })
  expect([stderr, stdout.trim().split('\n').filter((word) => word !== '--help').sort()]).toEqual(['', offered])
})

test.for(['zsh', 'fish'].filter(isThere))('%s reads its completion script', async (shell) => {
  const { stdout: script } = await run(`completion ${shell}`)
  expect(script).toContain('tripline-collector')
  const { status, stderr } = spawnSync(shell, ['-n', '-c', script], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
})
