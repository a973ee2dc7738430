import { execFile } from 'node:child_process'
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

async function runBlock(language: string, text: string): Promise<string> {
  const file = join(import.meta.dirname, `guide-example-${process.pid}.ts`)
  try {
    if (language === 'ts') writeFileSync(file, text)
    const [command, ...args] = { sh: ['bash', '-ec', text], python: ['python3', '-c', text], ts: [process.execPath, file] }[language] ?? []
    return (await run(command ?? '', args, { env: environment })).stdout
  } finally {
    rmSync(file, { force: true })
  }
}

beforeAll(async () => {
  const server = startServerProcess(['--data-dir', join(folder, 'data'), '--listen', '127.0.0.1:0'])
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

test('a reader creates a key, and uses it with curl, Python and TypeScript', async () => {
  expect(blocks.map(({ language }) => language)).toEqual(['sh', 'sh', 'python', 'ts'])
  const [create, curl, python, typescript] = blocks
  const created = JSON.parse(await runBlock('sh', create?.text ?? '')) as { readonly key: string }
  environment = { ...environment, TRIPLINE_KEY: created.key }
  const answers = (await runBlock('sh', curl?.text ?? '')).replaceAll('}{', '}\n{').split('\n').map((line) => JSON.parse(line) as object)
  expect(answers).toMatchObject([
    { data: [], pagination: { page: 1, size: 5, total: 0 } }, { content: [], totalElements: 0, number: 0 }, { total_alerts: 0 },
    { data: [], total: 0 },
  ])
  expect(await runBlock('python', python?.text ?? '')).toBe('done\n')
  expect(await runBlock('ts', typescript?.text ?? '')).toBe('0 alerts\n')
})
