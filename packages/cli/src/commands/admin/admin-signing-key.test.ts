import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { processRuntime, readConfig, startServer } from '@tripline/server'
import type { RunningServer } from '@tripline/server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createFolder, runCaptured } from '../../../test/run-captured.ts'

const folder = createFolder({})
const nowMs = Date.UTC(2026, 10, 21)
const tripline = (line: string) => runCaptured(line, { cwd: folder })
let server: RunningServer

beforeAll(async () => {
  const io = { ...processRuntime(), now: () => nowMs, printLine: () => {}, logLine: () => {}, environment: {} }
  const settings = { dataDir: [join(folder, 'data')], listen: ['127.0.0.1:0'], console: ['off'] }
  server = await startServer(await readConfig({ settings }, io), io)
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const get = (path: string, token = '') => fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { authorization: `Bearer ${token}` } })
const listKeyIds = async () => ((await (await get('/.well-known/jwks.json')).json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid)
const createToken = async () => (await tripline('admin token create --data-dir data --user admin@localhost')).stdout.trim()

test('a running server signs with the new key, and takes tokens of the old one', async () => {
  const [before] = await listKeyIds()
  const old = await createToken()
  expect((await get('/v1/auth/me', old)).status).toBe(200)
  const { code, stdout } = await tripline('admin signing-key rotate --data-dir data --json')
  const { key_id: id, retired } = JSON.parse(stdout) as { key_id: string; retired: number }
  expect([code, retired, id === before]).toEqual([0, 1, false])
  await vi.waitUntil(async () => (await listKeyIds())[0] === id, { timeout: 300_000 })
  expect(await listKeyIds()).toEqual([id, before])
  expect((await get('/v1/auth/me', old)).status).toBe(200)
  expect((await get('/v1/auth/me', await createToken())).status).toBe(200)
  expect(statSync(join(folder, 'data/keys.json')).mode & 0o777).toBe(0o600)
  expect((await tripline('audit verify --data-dir data')).code).toBe(0)
})

test('a directory without a state has no key to rotate', async () => {
  expect((await tripline('admin signing-key rotate --data-dir nowhere')).code).toBe(66)
})
