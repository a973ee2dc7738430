import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseCodeBlocks } from './parse-markdown.ts'
import { readText, repositoryRoot } from './workspace.ts'

const program = join(repositoryRoot, 'packages/cli/src/main.ts')
const folder = mkdtempSync(join(tmpdir(), 'tripline-walk-'))

/** What a newcomer sees of a server that starts for the first time: its port and its password. */
let port: string
let password: string
let stop: () => Promise<void>

beforeAll(async () => {
  const args = ['serve', 'fixtures/rules', '--data-dir', join(folder, 'data'), '--listen', '127.0.0.1:0']
  const server = spawn(process.execPath, [program, ...args], { cwd: repositoryRoot, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [server.stdout, server.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const shown = (pattern: RegExp): string | undefined => pattern.exec(printed)?.[1]
  while (shown(/"port":(\d+)/) === undefined || shown(/"file":"([^"]+)"/) === undefined) {
    await Promise.race([once(server.stdout, 'data'), once(server.stderr, 'data'), failed(server, () => printed)])
  }
  port = shown(/"port":(\d+)/)!
  password = readFileSync(shown(/"file":"([^"]+)"/)!, 'utf8').trim()
  stop = async () => {
    server.kill()
    await once(server, 'close')
  }
})
afterAll(async () => {
  await stop()
  rmSync(folder, { recursive: true })
})

async function failed(server: ReturnType<typeof spawn>, printed: () => string): Promise<never> {
  await once(server, 'exit')
  throw new Error(`the server ended: ${printed()}`)
}

/** Runs the one walk of a document, a block of bash, against the server; returns the lines that it prints. */
function runWalk(path: string): readonly string[] {
  const [walk, ...others] = parseCodeBlocks(readText(path)).filter(({ language }) => language === 'bash')
  expect(others).toEqual([])
  const script = walk!.text
    .replace(/^PASSWORD=.*$/m, `PASSWORD='${password}'`)
    .replace('127.0.0.1:8080', `127.0.0.1:${port}`)
    .replaceAll('npm run -s tripline --', `'${process.execPath}' '${program}'`)
  // The proxy of a machine has no business between a test and its server.
  const env = { ...process.env, no_proxy: '127.0.0.1', http_proxy: '' }
  const { stdout, stderr, status } = spawnSync('bash', ['-e'], { input: script, cwd: folder, env, encoding: 'utf8', timeout: 900_000 })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout.trim().split('\n')
}

test("the session in the server's guide runs as written", () => {
  const [rule, receipt, alert, explained, judged, found, ...more] = runWalk('docs/guide/server.md')
  expect(more).toEqual([])
  expect(JSON.parse(rule!)).toMatchObject({ enabled: true, level: 'critical', effective_from_offset: expect.any(Number) })
  expect(JSON.parse(receipt!)).toMatchObject({ accepted: 1, rejected: 0 })
  expect(alert).toMatch(/ new_alert {2}alert_id=\S+ {2}severity=critical {2}rule_title=Root Logged In Over SSH With a Password {2}host=web-1 {2}/)
  expect(JSON.parse(explained!)).toMatchObject({ results: [{ matched: true, explain: { result: true } }] })
  expect(JSON.parse(judged!)).toMatchObject({ status: 'false_positive', verdict: 'false_positive', reviewed_by: 'admin@localhost' })
  expect(JSON.parse(found!)).toMatchObject({ total: 1, data: [{ source_type: 'linux', fields: { hostname: 'web-1' } }] })
})

test("an operator's walk leads from the first start to an alert on an own event", () => {
  const [ready, rule, receipt, alert, exported, ...more] = runWalk('docs/start/operator.md')
  expect(more).toEqual([])
  expect(ready).toBe('ready')
  expect(JSON.parse(rule!)).toMatchObject({ title: 'A new service', enabled: true })
  expect(JSON.parse(receipt!)).toMatchObject({ accepted: 1, rejected: 0 })
  expect(alert).toMatch(/ new_alert .*severity=medium {2}rule_title=A new service {2}host=pc-7/)
  expect(exported).toContain('keys.backup')
})
