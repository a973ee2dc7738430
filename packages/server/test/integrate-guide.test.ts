import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { killServerProcesses, readFirstCredentials, startServerProcess, waitForReady } from './server-process.ts'

// The examples of the guide, run as a reader would against a server that was just started.

const run = promisify(execFile)
const guide = readFileSync(join(import.meta.dirname, '../../../docs/guide/integrate.md'), 'utf8')
const blocks = [...guide.matchAll(/^```(\w+)\n(.*?)^```/gms)].map(([, language = '', text = '']) => ({ language, text }))
const folder = mkdtempSync(join(tmpdir(), 'tripline-guide-'))
let environment: NodeJS.ProcessEnv
/** Webhooks are posted to this machine. */
const reachable = ['--public-url', 'https://tripline.example', '--egress-allow-cidrs', '127.0.0.0/8']

async function runBlock(language: string, text: string): Promise<string> {
  const file = join(import.meta.dirname, `guide-example-${process.pid}.ts`)
  try {
    if (language === 'ts') writeFileSync(file, text)
    const [command, ...args] = { sh: ['bash', '-ec', text], python: ['python3', '-c', text], ts: [process.execPath, file] }[language] ?? []
    return (await run(command ?? '', args, { env: environment, cwd: folder })).stdout
  } finally {
    rmSync(file, { force: true })
  }
}

beforeAll(async () => {
  const server = startServerProcess(['--data-dir', join(folder, 'data'), '--listen', '127.0.0.1:0', ...reachable])
  const { url } = await waitForReady(server)
  const { email, password } = readFirstCredentials(server)
  const call = async (path: string, token: string | undefined, body: object) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST', headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    })
    return response.status === 204 ? {} : await response.json() as { readonly [name: string]: string }
  }
  const first = await call('/v1/auth/login', undefined, { email, password })
  await call('/v1/auth/password', first['access_token'], { current_password: password, new_password: 'correct horse battery' })
  const { access_token: token } = await call('/v1/auth/login', undefined, { email, password: 'correct horse battery' })
  environment = { PATH: process.env['PATH'], TRIPLINE_URL: url, TRIPLINE_TOKEN: token ?? first['access_token'] }
})
afterAll(() => {
  killServerProcesses()
  rmSync(folder, { recursive: true, force: true })
})

/** A port that was free a moment ago. */
async function findPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

test('a reader creates a key, lists, exports, and receives a webhook', async () => {
  expect(blocks.map(({ language }) => language)).toEqual(['sh', 'sh', 'python', 'ts', 'sh', 'sh', 'python', 'sh'])
  const [create, curl, python, typescript, csv, register, receive, tryOut] = blocks.map(({ text }) => text)
  const created = JSON.parse(await runBlock('sh', create ?? '')) as { readonly key: string }
  environment = { ...environment, TRIPLINE_KEY: created.key }
  const answers = (await runBlock('sh', curl ?? '')).replaceAll('}{', '}\n{').split('\n').map((line) => JSON.parse(line) as object)
  expect(answers).toMatchObject([
    { data: [], pagination: { page: 1, size: 5, total: 0 } }, { content: [], totalElements: 0, number: 0 }, { total_alerts: 0 },
    { data: [], total: 0 },
  ])
  expect(await runBlock('python', python ?? '')).toBe('done\n')
  expect(await runBlock('ts', typescript ?? '')).toBe('0 alerts\n')
  await runBlock('sh', csv ?? '')
  expect(readFileSync(join(folder, 'alerts.csv'), 'utf8')).toMatch(/^id,title,severity,status,.*\r\n$/)

  const port = await findPort()
  environment = { ...environment, RECEIVER_PORT: String(port), RECEIVER_URL: `http://127.0.0.1:${port}/hook` }
  const webhook = JSON.parse(await runBlock('sh', register ?? '')) as { readonly id: string; readonly secret: string }
  environment = { ...environment, WEBHOOK_ID: webhook.id, WEBHOOK_SECRET: webhook.secret }
  const receiver = spawn('python3', ['-c', receive ?? ''], { env: environment, stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    let printed = ''
    receiver.stdout.on('data', (text) => (printed += String(text)))
    await expect.poll(() => fetch(`http://127.0.0.1:${port}/`).then(({ status }) => status, () => 0)).toBe(501)
    expect(JSON.parse(await runBlock('sh', tryOut ?? ''))).toMatchObject({ status: 'delivered', http_status: 204 })
    await expect.poll(() => printed).toBe('webhook.test Test of webhook SOAR\n')
    const forged = { 'webhook-id': 'evt_1', 'webhook-timestamp': String(Math.floor(Date.now() / 1_000)), 'webhook-signature': 'v1,AAAA' }
    expect((await fetch(`http://127.0.0.1:${port}/hook`, { method: 'POST', body: '{}', headers: forged })).status).toBe(401)
  } finally {
    receiver.kill()
  }
})
