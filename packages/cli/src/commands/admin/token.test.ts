import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { processRuntime, readConfig, startServer } from '@tripline/server'
import type { RunningServer } from '@tripline/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFolder, runCaptured } from '../../../test/run-captured.ts'

const folder = createFolder({ 'not-a-key.json': '{"kty":"oct","k":"c2VjcmV0"}' })
const nowMs = Date.UTC(2026, 10, 21)
let server: RunningServer

const tripline = (line: string, stdin = '') => runCaptured(line, { cwd: folder, stdin })

/** A server that trusts an issuer whose keys the command line made. */
beforeAll(async () => {
  writeFileSync(join(folder, 'jwks.json'), (await tripline('token key --key key.json')).stdout)
  const io = { ...processRuntime(), now: () => nowMs, printLine: () => {}, logLine: () => {}, environment: {} }
  const settings = {
    dataDir: [join(folder, 'data')], listen: ['127.0.0.1:0'],
    trustedIssuer: ['https://idp.example'], trustedJwksFile: [join(folder, 'jwks.json')],
  }
  server = await startServer(await readConfig({ settings }, io), io)
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

async function issue(line: string): Promise<string> {
  return (await tripline(`token issue --key key.json --issuer https://idp.example ${line}`)).stdout.trim()
}

async function statusWith(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(`http://127.0.0.1:${server.port}/v1/detection/rules`, { headers })).status
}

test('a key pair is for its owner alone, stays as it is, and shows its public half', async () => {
  expect(statSync(join(folder, 'key.json')).mode & 0o077).toBe(0)
  const before = readFileSync(join(folder, 'key.json'), 'utf8')
  const { stdout } = await tripline('token key --key key.json')
  expect(stdout).toBe(readFileSync(join(folder, 'jwks.json'), 'utf8'))
  expect(readFileSync(join(folder, 'key.json'), 'utf8')).toBe(before)
  expect(stdout).not.toContain('"d"')
})

describe('a token of a trusted issuer', () => {
  test.for<[line: string, status: number]>([
    ['', 200],
    ['--role analyst engineer', 200],
    ['--claims {"exp":null}', 401],
    ['--claims {"exp":1}', 401],
    ['--claims {"aud":["a","b"]}', 401],
    ['--claims {"roles":["operator"]}', 401],
    ['--claims {"tenant_id":["default","acme"]}', 401],
    ['--audience elsewhere', 401],
    ['--issuer https://elsewhere.example', 401],
    ['--tenant nobody', 401],
    ['--role root', 401],
  ])('%s is answered %i', async ([line, status]) => {
    expect(await statusWith(await issue(line))).toBe(status)
  })

  test('of another key is refused', async () => {
    await tripline('token key --key other.json')
    const { stdout } = await tripline('token issue --key other.json --issuer https://idp.example')
    expect(await statusWith(stdout.trim())).toBe(401)
  })

  test('is shown with what is in it', async () => {
    const { stdout } = await tripline('token issue --key key.json --issuer me --subject bob --expires-in 60 --json')
    const { token, claims } = JSON.parse(stdout) as { readonly token: string; readonly claims: object }
    expect(claims).toEqual({
      iss: 'me', aud: 'console', sub: 'bob', tenant_id: 'default', roles: ['viewer'], iat: nowMs / 1_000, exp: nowMs / 1_000 + 60,
    })
    const inspected = await tripline('token inspect - --json', `${token}\n`)
    const header = { alg: 'EdDSA', kid: expect.any(String), typ: 'JWT' }
    expect(JSON.parse(inspected.stdout)).toEqual({ header, claims, good: null, problem: null })
  })
})

describe('an installation is asked', () => {
  // Who administers a new server first.
  const email = 'admin@localhost'

  test('about a token of its own', async () => {
    const token = (await tripline(`admin token create --user ${email} --data-dir data`)).stdout.trim()
    const { code, stdout } = await tripline(`token inspect ${token} --data-dir data --json`)
    const good = { claims: { tenant_id: 'default' }, good: true, problem: null }
    expect({ code, body: JSON.parse(stdout) }).toMatchObject({ code: 0, body: good })
    const [header, claims, signature = ''] = token.split('.')
    const broken = `${header}.${claims}.${signature.slice(0, -4)}AAAA`
    const inspected = await tripline(`token inspect ${broken} --data-dir data --json`)
    expect(JSON.parse(inspected.stdout)).toMatchObject({ good: false, problem: expect.stringContaining('signature') })
  })

  test('about a token for another name of it', async () => {
    const line = `admin token create --user ${email} --data-dir data --public-url https://tripline.example/`
    const token = (await tripline(line)).stdout.trim()
    const { code, stdout } = await tripline(`token inspect ${token} --data-dir data --json`)
    const bad = { good: false, problem: expect.stringContaining("'iss' is not 'tripline'") }
    expect({ code, body: JSON.parse(stdout) }).toMatchObject({ code: 1, body: bad })
    expect((await tripline(`token inspect ${token} --data-dir data --public-url https://tripline.example`)).code).toBe(0)
  })

  test('about a token of another issuer', async () => {
    const { code, stdout } = await tripline(`token inspect ${await issue('')} --data-dir data --json`)
    const bad = { good: false, problem: expect.stringContaining('did not issue it') }
    expect({ code, body: JSON.parse(stdout) }).toMatchObject({ code: 1, body: bad })
  })
})

test.for<[line: string, code: number, sentence: string]>([
  ['token inspect abc', 2, 'this is not a token'],
  ['token inspect a.b.c', 2, 'this is not a token'],
  ['token inspect a b', 2, "unexpected argument 'b'"],
  ['token issue --key nowhere.json --issuer me', 66, "key file 'nowhere.json' cannot be read"],
  ['token issue --key not-a-key.json --issuer me', 66, 'it is not a key pair file'],
  ['token issue --key key.json --issuer me --claims []', 2, "option '--claims' is '[]'"],
  ['token issue --key key.json --issuer me --expires-in 0', 2, "option '--expires-in' is '0'"],
  ['token key --key not-a-key.json', 66, 'it is not a key pair file'],
  ['token key --key nowhere/key.json', 74, 'there is no such file or directory'],
])('%s ends with %i', async ([line, code, sentence]) => {
  const { stderr, ...rest } = await tripline(line)
  expect(rest).toEqual({ code, stdout: '' })
  expect(stderr).toContain(sentence)
})

test('more than a token on stdin is not read', async () => {
  const { code, stderr } = await tripline('token inspect -', 'a'.repeat(100_000))
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('65536 bytes') })
})
