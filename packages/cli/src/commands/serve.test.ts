import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { createFolder, runCaptured } from '../../test/run-captured.ts'
import { brokenRule, curlRule } from '../../test/sample-rules.ts'
import { printLogLine } from '../output/print-log-line.ts'

const folder = createFolder({
  'curl.yml': curlRule, 'broken.yml': brokenRule, 'a-file': '', 'short': 'abc\n', 'two': 'one\ntwo\n', 'good': 'w4shing7onKr1ller-Tau\n',
  'conf.yml': `# where\ndata_dir: ${'$'}\nverify_hours: 6\n`,
})
afterAll(() => rmSync(folder, { recursive: true }))
const at = (name: string): string => join(folder, name)

const check = (line: string, environment = {}) => runCaptured(`serve --check ${line}`.replaceAll('@', `${folder}/`), { environment })

test('--check prints each setting with its source, and the order in which places count', async () => {
  const { code, stdout, stderr } = await check('@curl.yml @broken.yml --data-dir @data --config @conf.yml', { TRIPLINE_LISTEN: 'localhost:0' })
  expect([code, stderr, existsSync(at('data'))]).toEqual([0, '', false])
  const row = (name: string): string[] => new RegExp(`^${name} .*$`, 'm').exec(stdout)![0].split(/ {2,}/)
  expect(row('data_dir')).toEqual(['data_dir', at('data'), 'option --data-dir'])
  expect(row('listen')).toEqual(['listen', 'localhost:0', 'variable TRIPLINE_LISTEN'])
  expect(row('verify_hours')).toEqual(['verify_hours', '6', `key verify_hours of ${at('conf.yml')}`])
  expect(row('trusted_audience')).toEqual(['trusted_audience', 'console', 'default'])
  expect(stdout).toContain(`an option overrides a variable, which overrides '${at('conf.yml')}', which overrides the default\n`)
  expect(stdout).toContain(`rule is not used: ${at('broken.yml')}: invalid: `)
  expect(stdout).toMatch(/rules that run: 10, that do not: 1\n$/)
})

test('--check --json prints the same as an object', async () => {
  const { stdout } = await check('@curl.yml --data-dir @data --json')
  expect(JSON.parse(stdout)).toMatchObject({
    file: null, rules: { compiled: 10, problems: [] }, settings: { rules: { value: at('curl.yml'), source: 'arguments' }, verify_hours: { value: '24', source: 'default' } },
  })
})

test.for<[line: string, code: number, message: string]>([
  ['@nowhere', 78, 'rules cannot be read: ENOENT'],
  ['--data-dir @a-file', 70, `data directory '@a-file' cannot be used: '@a-file' is not a directory`],
  ['--data-dir @a-file/below', 70, `data directory '@a-file/below' cannot be used: '@a-file' is not a directory`],
  ['--metrics-token-file @short', 78, '--metrics-token-file must contain one token without blanks'],
  ['--admin-password-file @nowhere', 78, '--admin-password-file cannot be read: ENOENT'],
  ['--admin-password-file @two', 78, '--admin-password-file must contain the password as its only line'],
  ['--admin-password-file @short', 78, '--admin-password-file cannot be used: the password has 3 characters; use 12 to'],
  ['--config @a-file --verify-hours 501', 78, '--verify-hours must be a whole number from 0 to 500'],
])('--check %s is refused as serve would', async ([line, code, message]) => {
  const checked = await check(line)
  expect([checked.code, checked.stdout]).toEqual([code, ''])
  expect(checked.stderr).toContain(`tripline: ${message.replaceAll('@', `${folder}/`)}`)
})

test('--check takes the password of the first administrator', async () => {
  expect((await check('--admin-password-file @good --data-dir @data')).code).toBe(0)
})

test.for<[line: object, printed: string]>([
  [{ at: '2026-11-22T09:00:01.234Z', level: 'info', message: 'listening', address: '127.0.0.1:1', count: 2 }, '09:00:01  info   listening  address=127.0.0.1:1  count=2'],
  [{ at: '2026-11-22T09:00:01.234Z', level: 'error', message: 'a\u001b[2Jb', stack: 'Error: a\n    at b' }, '09:00:01  error  a\\u{1b}[2Jb\nError: a\n    at b'],
])('the log for people: %j', ([line, printed]) => {
  expect(printLogLine(JSON.stringify(line))).toBe(printed)
})

test('the code of the server is cached for the next start: nothing loads it before the cache is open', async () => {
  mkdirSync(at('cached'))
  const program = fileURLToPath(new URL('../main.ts', import.meta.url))
  // Without the cache of the tests, which would be used instead.
  const { NODE_COMPILE_CACHE: _, ...env } = process.env
  const server = spawn(process.execPath, [program, 'serve', '--data-dir', at('cached'), '--listen', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'ignore'], env })
  const exited = once(server, 'exit')
  await once(server.stdout, 'data')
  server.kill('SIGTERM')
  await exited
  // Entries of the cache are named by hashes. The sources of the server alone are several hundred.
  expect(readdirSync(at('cached/code'), { recursive: true }).length).toBeGreaterThan(300)
})

test('a log without a reader holds up no request and no end', async () => {
  const program = fileURLToPath(new URL('../main.ts', import.meta.url))
  execFileSync('mkfifo', [at('log')])
  const behind = ['-c', 'exec "$@" 2<>"$0"', at('log')]
  const server = spawn('sh', [...behind, process.execPath, program, 'serve', '--data-dir', at('unread'), '--listen', '127.0.0.1:0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exited = once(server, 'exit')
  const [line] = (await once(server.stdout, 'data')) as [Buffer]
  const { port } = JSON.parse(line.toString('utf8')) as { port: number }
  // A pipe holds 64 KiB, and each line of the log more than 250 bytes.
  for (let i = 0; i < 400; i++) expect((await fetch(`http://127.0.0.1:${port}/v1/${'x'.repeat(240)}`)).status).toBe(404)
  server.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
})
