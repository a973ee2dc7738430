import { printValueLabel } from '@tripline/common/command-line/parse-arguments'
import { expect, test } from 'vitest'
import { runCaptured } from '../test/run-captured.ts'
import { limits } from './limits.ts'
import { commands } from './command-table.ts'

test.for<[line: string, message: string]>([
  ['', 'no command given; commands: detect, rules, explain, convert, taxonomy, ingest, search, hunt, verify, backup, report, bench, serve, ready, watch, admin, token, audit, limits, language-server, mcp, completion, man'],
  ['detekt --rules a', `unknown command 'detekt'; did you mean 'detect'?`],
  ['ruls check', `unknown command 'ruls'; did you mean 'rules'?`],
  ['rules', `'tripline rules' needs one more word; commands: rules check, rules lint, rules test, rules cost, rules health, rules coverage, rules draft, rules tune, rules schema, rules update`],
  ['rules list', `unknown command 'rules list'; did you mean 'rules lint'?`],
  ['rules frobnicate', `unknown command 'rules frobnicate'; commands: rules check, rules lint, rules test, rules cost, rules health, rules coverage, rules draft, rules tune, rules schema, rules update`],
  ['admin key', `'tripline admin key' needs one more word; commands: admin key create, admin key list, admin key revoke`],
  ['admin key rewoke x', `unknown command 'admin key rewoke'; did you mean 'admin key revoke'?`],
  ['--rules a', `unknown command '--rules'; commands: detect, rules, explain, convert, taxonomy, ingest, search, hunt, verify, backup, report, bench, serve, ready, watch, admin, token, audit, limits, language-server, mcp, completion, man`],
  ['detect', `'tripline detect' needs <rules>...`],
  ['rules check', `'tripline rules check' needs <rules>...`],
  ['admin tenant create', `'tripline admin tenant create' needs <id>`],
  ['admin tenant create a b', `unexpected argument 'b' for 'tripline admin tenant create'`],
  ['admin user create a', `option '--role <role>...' is missing for 'tripline admin user create'`],
  ['audit verify --anchor x', `option '--anchor' is 'x'; it takes the number and the hash of an entry, as 'head' of --json has them`],
  [`audit verify --anchor 1:${'a'.repeat(64)}`, `option '--anchor' needs '--tenant <id>'`],
  ['completion tcsh', `unknown shell 'tcsh'; it is one of bash, zsh, fish`],
  ['completion constructor', `unknown shell 'constructor'; it is one of bash, zsh, fish`],
  ['man rules chek', `unknown command 'rules chek'; did you mean 'rules check'?`],
  ['explain --rule a', `'tripline explain' takes rules without '--rule': tripline explain <rules>...`],
])(`'tripline %s' is refused`, async ([line, message]) => {
  expect(await runCaptured(line)).toEqual({ code: 2, stdout: '', stderr: `tripline: ${message}\n` })
})

test.for<[line: string, code: number, message: string]>([
  ['detekt --json', 2, "unknown command 'detekt'; did you mean 'detect'?"],
  ['rules check nowhere --json', 66, "rules path 'nowhere' cannot be read: there is no such file or directory"],
  ['serve --json --lisen x', 78, "unknown option '--lisen' for 'tripline serve'; did you mean '--listen'?"],
])(`'tripline %s' ends with an error as JSON`, async ([line, code, message]) => {
  const { stderr, ...rest } = await runCaptured(line)
  expect({ ...rest, error: JSON.parse(stderr) }).toEqual({ code, stdout: '', error: { error: { message, exit_code: code } } })
})

test.for<[line: string, version: string]>([
  ['serve', '22.23.3'],
  ['serve --demo', '24.11.9'],
  ['search x', '20.20.2'],
  ['admin user list', '9.30.0'],
])(`'tripline %s' on Node %s says which Node it needs`, async ([line, nodeVersion]) => {
  const { code, stdout, stderr } = await runCaptured(line, { nodeVersion })
  expect([code, stdout]).toEqual([78, ''])
  expect(stderr).toMatch(new RegExp(`^tripline: 'tripline [a-z ]+' needs Node 24.12 or newer, and this is ${nodeVersion}: install a newer Node.*\n$`))
})

test.for<[line: string, version: string]>([
  ['serve --help', '20.20.2'],
  ['rules check nothing.yml', '20.20.2'],
  ['verify --data-dir nothing', '24.12.0'],
  ['verify --data-dir nothing', '25.0.1'],
])(`'tripline %s' on Node %s is not refused for its version`, async ([line, nodeVersion]) => {
  expect((await runCaptured(line, { nodeVersion })).stderr).not.toContain('needs Node')
})

test.for<[line: string, text: string]>([
  ['--help', 'rules check'],
  ['help', 'rules check'],
  ['detect --help', 'Usage: tripline detect <rules>... [options]'],
  ['detect a --help', '--fail-on <level>'],
  ['rules check -h', 'Usage: tripline rules check <rules>... [options]'],
  ['explain --help', 'Usage: tripline explain <rules>... [options]'],
  ['admin key create --help', 'Usage: tripline admin key create --name <text> [options]'],
  ['token inspect --help', 'Usage: tripline token inspect <token|-> [options]'],
  ['serve --help', 'Usage: tripline serve [<rules>...] [options]'],
  ['serve --demo --help', '--data-dir <dir>'],
  ['rules --help', 'rules health    Finds rules'],
  ['rules -h', 'Usage: tripline rules <command> [arguments] [options]'],
  ['admin key help', 'admin key revoke'],
  ['admin --help', 'admin tenant create'],
  ['help rules check', 'Usage: tripline rules check <rules>... [options]'],
  ['help rules', 'rules health    Finds rules'],
  ['-h', 'rules check'],
])(`'tripline %s' shows help`, async ([line, text]) => {
  const { code, stdout, stderr } = await runCaptured(line)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain(text)
  expect(Math.max(...stdout.split('\n').map((row) => row.length))).toBeLessThanOrEqual(100)
})

test.for(commands.map(({ name, summary }) => [name, summary] as const))('the summary of %s is one sentence of 72 characters', ([, summary]) => {
  expect(summary).toMatch(/^[A-Z][a-z]+s .{1,69}\.$/)
  expect(summary.length).toBeLessThanOrEqual(72)
})

test('an option name has one kind and one value in all commands', () => {
  const meanings = Map.groupBy(commands.flatMap(({ options }) => Object.entries(options)), ([name]) => name)
  const printed = Array.from(meanings, ([name, uses]) => [
    name, [...new Set(uses.map(([, option]) => `${option.kind} ${printValueLabel(option)}`.trimEnd()))],
  ] as const)
  expect(printed.filter(([, kinds]) => kinds.length > 1)).toEqual([])
})

test('every command takes --json', () => {
  expect(commands.filter(({ options }) => !Object.hasOwn(options, 'json')).map(({ name }) => name)).toEqual([])
})

test.for<[line: string, printed: object]>([
  ['taxonomy --shape ecs --json', { shape: 'ecs', pipeline: expect.stringContaining('transformations:') }],
  ['completion bash --json', { shell: 'bash', script: expect.stringContaining('complete -') }],
  ['man rules check --json', { page: expect.stringMatching(/^\.TH TRIPLINE-RULES-CHECK 1 /) }],
])(`'tripline %s' prints one JSON object`, async ([line, printed]) => {
  const { stdout, ...rest } = await runCaptured(line)
  expect({ ...rest, printed: JSON.parse(stdout) }).toEqual({ code: 0, stderr: '', printed })
})

test('limits are one JSON object, or one line each', async () => {
  const json = await runCaptured('limits --json')
  expect(JSON.parse(json.stdout)).toMatchObject({ limits: { command_line: { line_bytes_max: limits.lineBytesMax }, engine: {} } })
  expect((await runCaptured('limits')).stdout).toContain(`\ncommand_line.line_bytes_max ${limits.lineBytesMax}\n`)
})

test.for(['--version', '-v'])('%s prints the version of the package', async (option) => {
  expect((await runCaptured(option)).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})
