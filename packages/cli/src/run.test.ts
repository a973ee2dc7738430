import { expect, test } from 'vitest'
import { runCaptured } from '../test/run-captured.ts'
import { limits } from './limits.ts'

test.for<[line: string, message: string]>([
  ['', 'no command given; commands: detect, rules, explain, ingest, search, hunt, verify, bench, serve, watch, admin, token, audit, limits'],
  ['detekt --rules a', `unknown command 'detekt'; did you mean 'detect'?`],
  ['rules', `unknown command 'rules'; did you mean 'rules check'?`],
  ['rules list', `unknown command 'rules list'; did you mean 'rules check'?`],
  ['admin', `unknown command 'admin'; did you mean 'admin tenant create'?`],
  ['--rules a', `unknown command '--rules'; commands: detect, rules, explain, ingest, search, hunt, verify, bench, serve, watch, admin, token, audit, limits`],
  ['detect', `option '--rules <file|dir>...' is missing for 'tripline detect'`],
  ['rules check', `'tripline rules check' needs <file|dir>...`],
  ['admin tenant create', `'tripline admin tenant create' needs <id>`],
  ['admin tenant create a b', `unexpected argument 'b' for 'tripline admin tenant create'`],
  ['admin user create a', `option '--role <role>...' is missing for 'tripline admin user create'`],
  ['audit verify --anchor x', `option '--anchor' is 'x'; it takes the number and the hash of an entry, as 'head' of --json has them`],
  [`audit verify --anchor 1:${'a'.repeat(64)}`, `option '--anchor' needs '--tenant <id>'`],
  ['explain --rule a', `option '--event <file|->' is missing for 'tripline explain'`],
])(`'tripline %s' is refused`, async ([line, message]) => {
  expect(await runCaptured(line)).toEqual({ code: 2, stdout: '', stderr: `tripline: ${message}\n` })
})

test.for<[line: string, text: string]>([
  ['--help', 'rules check'],
  ['help', 'rules check'],
  ['detect --help', 'tripline detect --rules <file|dir>... [options]'],
  ['detect --rules a --help', '--fail-on <level>'],
  ['rules check -h', 'tripline rules check <file|dir>... [options]'],
  ['explain --help', 'tripline explain --rule <file> --event <file|-> [options]'],
  ['admin key create --help', 'tripline admin key create --name <text> [options]'],
  ['token inspect --help', 'tripline token inspect <token|-> [options]'],
])(`'tripline %s' shows help`, async ([line, text]) => {
  const { code, stdout, stderr } = await runCaptured(line)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain(text)
  expect(Math.max(...stdout.split('\n').map((row) => row.length))).toBeLessThanOrEqual(100)
})

test('limits are one JSON object, or one line each', async () => {
  const json = await runCaptured('limits --json')
  expect(JSON.parse(json.stdout)).toMatchObject({ limits: { command_line: { line_bytes_max: limits.lineBytesMax }, engine: {} } })
  expect((await runCaptured('limits')).stdout).toContain(`\ncommand_line.line_bytes_max ${limits.lineBytesMax}\n`)
})

test('--version prints the version of the package', async () => {
  expect((await runCaptured('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})
