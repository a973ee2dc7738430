import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { processRuntime, readConfig, startServer } from '@tripline/server'
import type { RunningServer } from '@tripline/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFolder, runCaptured } from '../../test/run-captured.ts'
import type { Captured } from '../../test/run-captured.ts'

const folder = createFolder({
  'whoami.yml': [
    'title: Whoami', 'id: 1a3c5e7f-1b2d-4c6e-8f90-a1b2c3d4e5f6', 'level: high', 'logsource: { product: windows }',
    'detection: { selection: { Image|endswith: \\whoami.exe }, condition: selection }',
  ].join('\n'),
})
const event = {
  host: 'pc-1\u202e', Image: 'C:\\whoami.exe', _logsource: { product: 'windows', category: 'process_creation' },
}
let server: RunningServer
let origin: string
let token: string

beforeAll(async () => {
  const io = { ...processRuntime(), printLine: () => {}, logLine: () => {}, environment: {} }
  const settings = { dataDir: [join(folder, 'data')], listen: ['127.0.0.1:0'], rules: [join(folder, 'whoami.yml')] }
  server = await startServer(await readConfig({ settings }, io), io)
  origin = `http://127.0.0.1:${server.port}`
  const login = await fetch(`${origin}/v1/auth/login`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(server.firstAdmin),
  })
  token = ((await login.json()) as { access_token: string }).access_token
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

/** Watches until the command ends by itself, or until `until` does, as by Ctrl-C. */
const watch = (args: string, until: Promise<void> = new Promise(() => {}), shown: string = token): Promise<Captured> =>
  runCaptured(`watch ${args}`, { cwd: folder, environment: { TRIPLINE_TOKEN: shown }, untilInterrupted: () => until })

async function send(): Promise<void> {
  await fetch(`${origin}/ingest/v1/events`, {
    method: 'POST', headers: { authorization: `Bearer ${token}` }, body: JSON.stringify(event),
  })
}

test('an alert is one line, and steers no terminal', async () => {
  await send()
  const { code, stdout, stderr } = await watch(`--server ${origin} --since 2026-01-01T00:00:00Z --count 1`)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const named = String.raw`alert_id=\S+ {2}severity=high {2}rule_title=Whoami {2}host=pc-1\\u\{202e\}`
  expect(stdout).toMatch(new RegExp(String.raw`^\S+Z {2}new_alert {2}${named}(?: {2}[a-z_]+=\S*)*\n$`))
})

test('with --json a message is as it came', async () => {
  const { stdout } = await watch(`--server ${origin} --topics metrics --count 1 --json`)
  expect(JSON.parse(stdout)).toMatchObject({ type: 'metrics_update', data: { queue_consumer_lag_total: expect.any(Number) } })
})

test('events that match a query are shown as they pass', async () => {
  let isShown = false
  const watching = watch(`--server ${origin} --query Image:*whoami.exe --count 1 --json`).finally(() => (isShown = true))
  // Whether it listens already is not to be seen from here.
  while (!isShown) await Promise.all([send(), new Promise((resolve) => setTimeout(resolve, 50))])
  const message = JSON.parse((await watching).stdout) as { type: string; data: { events: object[] } }
  expect(message.type).toBe('tail_events')
  expect(message.data.events[0]).toEqual(event)
})

test('Ctrl-C ends it well', async () => {
  expect(await watch(`--server ${origin} --topics incidents`, Promise.resolve())).toEqual({ code: 0, stdout: '', stderr: '' })
})

test.for<[title: string, args: string, token: string, code: number, sentence: string]>([
  ['no token', '', '', 2, 'the variable TRIPLINE_TOKEN is not set; set it to an access token'],
  ['an address that is none', '--server here', 'x', 2, "option '--server' is 'here'; it takes an address such as http://127.0.0.1:8080"],
  ['no server', '--server http://127.0.0.1:1', 'x', 66, 'no server answers at 127.0.0.1:1; check --server'],
  ['a token of nobody', '--server SERVER', 'x', 1,
    'the server closed the connection: the token is missing, expired or not valid; authenticate again'],
  ['a topic that is none', '--server SERVER --topics weather', 'GOOD', 2,
    "option '--topics': unknown topics; use metrics, connector_health, alerts, alert_updates, incidents, jobs, search"],
  ['a query that is none', '--server SERVER --query (', 'GOOD', 2,
    "the query is wrong at 1: expected '(', NOT, a field, a quoted text or a word, but the text ends there"],
  ['a count that is none', '--server SERVER --count 0', 'x', 2, "option '--count' is '0'; it takes a whole number from 1 to 1,000,000"],
])('%s', async ([, args, shown, code, sentence]) => {
  const answered = await watch(args.replace('SERVER', origin), undefined, shown === 'GOOD' ? token : shown)
  expect(answered).toEqual({ code, stdout: '', stderr: `tripline: ${sentence}\n` })
})
