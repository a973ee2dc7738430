import { readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { processRuntime, readConfig, startServer } from '@tripline/server'
import type { RunningServer } from '@tripline/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFolder, runCaptured } from '../../../test/run-captured.ts'

const folder = createFolder({})
const nowMs = Date.UTC(2026, 10, 21)
let elapsedMs = 0
let server: RunningServer

/** A server on `live`, whose clocks are ours; commands work on the same directory meanwhile. */
beforeAll(async () => {
  const quiet = { printLine: () => {}, logLine: () => {}, environment: {} }
  const io = { ...processRuntime(), ...quiet, now: () => nowMs, elapsedMs: () => elapsedMs }
  server = await startServer(await readConfig({ settings: { dataDir: [join(folder, 'live')], listen: ['127.0.0.1:0'] } }, io), io)
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const tripline = (line: string) => runCaptured(line, { cwd: folder })

/** What is taken out of answers and sent again. */
type Done = { readonly [Name in 'id' | 'key' | 'access_token' | 'one_time_password']: string } & {
  readonly [name: string]: unknown
}

/** Runs a command that ends well with one JSON object. */
async function done(line: string): Promise<Done> {
  const { code, stdout, stderr } = await tripline(`${line} --json`)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as Done
}

async function ask(path: string, init: RequestInit & { readonly token?: string } = {}): Promise<Response> {
  const { token, ...rest } = init
  const headers = { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) }
  return await fetch(`http://127.0.0.1:${server.port}${path}`, { ...rest, headers })
}

const statusOf = async (path: string, token: string): Promise<number> => (await ask(path, { token })).status

async function logIn(body: object): Promise<number> {
  return (await ask('/v1/auth/login', { method: 'POST', body: JSON.stringify(body) })).status
}

describe('on the data directory of a running server', () => {
  test('a user is added, logs in, and is refused five seconds after being disabled', async () => {
    const email = 'bob@example.org'
    const { one_time_password: password } = await done(`admin user create ${email} --role analyst viewer --data-dir live`)
    expect(await logIn({ email, password, new_password: 'a password of my own' })).toBe(200)
    const { access_token: token, expires_in } = await done(`admin token create --user ${email} --data-dir live`)
    expect(expires_in).toBe(900)
    const me = await (await ask('/v1/auth/me', { token })).json()
    expect(me).toMatchObject({ email, tenant_id: 'default', roles: ['analyst', 'viewer'] })
    expect(await done(`admin user disable ${email} --data-dir live`)).toMatchObject({ email, is_active: false })
    expect(await logIn({ email, password: 'a password of my own' })).toBe(401)
    elapsedMs += 5_000
    expect(await statusOf('/v1/auth/me', token)).toBe(401)
    expect((await tripline(`admin token create --user ${email} --data-dir live`)).code).toBe(1)
    await done(`admin user enable ${email} --data-dir live`)
    const again = await done(`admin user reset-password ${email} --data-dir live`)
    expect(await logIn({ email, password: again.one_time_password, new_password: 'another one of my own' })).toBe(200)
    expect(await done(`admin user remove-second-factor ${email} --data-dir live`)).toMatchObject({ email })
    await done(`admin user remove ${email} --data-dir live`)
    expect(await logIn({ email, password: 'another one of my own' })).toBe(401)
  })

  test('a key sends events until it is revoked', async () => {
    const { id, key } = await done('admin key create --name Sender --scope read-write --allowed-cidrs 127.0.0.0/8 ::1/128 --data-dir live')
    const send = async () => (await ask('/ingest/v1/events', { method: 'POST', token: key, body: '[{"a":1}]' })).status
    expect(await send()).toBe(202)
    await done(`admin key revoke ${id} --data-dir live`)
    expect(await send()).toBe(401)
  })

  test('a tenant is switched off and on', async () => {
    await done('admin tenant create acme --admin-email ann@acme.example --data-dir live')
    const { access_token: token } = await done('admin token create --tenant acme --user ann@acme.example --data-dir live')
    expect(await statusOf('/v1/auth/me', token)).toBe(200)
    await done('admin tenant disable acme --data-dir live')
    elapsedMs += 5_000
    expect(await statusOf('/v1/auth/me', token)).toBe(401)
    await done('admin tenant enable acme --data-dir live')
    expect(await statusOf('/v1/auth/me', token)).toBe(200)
  })
})

describe('on a data directory without a server', () => {
  test('a tenant, a user and a key are made, listed and told by the trail, and no secret is at rest', async () => {
    const tenant = await done('admin tenant create acme --name Acme --plan pro --admin-email ann@acme.example --data-dir fresh')
    expect(tenant).toMatchObject({ id: 'acme', name: 'Acme', plan: 'pro', is_active: true })
    const user = await done('admin user create bob@acme.example --tenant acme --name Bob --role viewer --data-dir fresh')
    const key = await done('admin key create --tenant acme --name Reports --expires 2027-01-01T00:00:00Z --data-dir fresh')
    expect(key).toMatchObject({ scope: 'read-only', expires_at: '2027-01-01T00:00:00.000Z' })
    expect((await tripline('admin user list --tenant acme --data-dir fresh')).stdout.trimEnd().split('\n').toSorted()).toEqual([
      'ann@acme.example  active  admin  ann@acme.example', 'bob@acme.example  active  viewer  Bob',
    ])
    expect((await tripline('admin tenant list --data-dir fresh')).stdout).toBe('acme  active  pro  Acme\n')
    const keys = await tripline('admin key list --tenant acme --data-dir fresh')
    expect(keys.stdout).toBe(`${key.id}  active  read-only  Reports\n`)
    expect(await done('audit verify --data-dir fresh')).toMatchObject({ ok: true, entries: 3 })

    const secrets = [tenant.one_time_password, user.one_time_password, key.key]
    expect(secrets.map(({ length }) => length)).toEqual([20, 20, 61])
    for (const name of readdirSync(join(folder, 'fresh'))) {
      const bytes = readFileSync(join(folder, 'fresh', name))
      for (const secret of secrets) expect(bytes.includes(secret), name).toBe(false)
      expect(statSync(join(folder, 'fresh', name)).mode & 0o077, name).toBe(0)
    }
  })

  beforeAll(async () => {
    await tripline('admin tenant create acme --admin-email ann@acme.example --data-dir refused')
  })

  test.for<[line: string, code: number, sentence: string]>([
    ['admin tenant create acme', 1, 'a tenant with this id already exists'],
    ['admin tenant create Acme', 2, 'id: must consist of lower-case letters, digits and dashes'],
    ['admin tenant disable nobody', 1, 'there is no such tenant'],
    ['admin user create ann@acme.example --tenant acme --role viewer', 1, 'the tenant already has a user with this email address'],
    ['admin user create bob --tenant acme --role viewer', 2, 'email: '],
    ['admin user create c@acme.example --tenant acme --role root', 2, 'roles.0: '],
    ['admin user list --tenant nobody', 1, "there is no tenant 'nobody'"],
    ['admin user disable nobody@acme.example --tenant acme', 1, "tenant 'acme' has no user 'nobody@acme.example'"],
    ['admin user disable ann@acme.example --tenant acme', 1, 'cannot remove the last active admin'],
    ['admin key create --tenant acme --name X --expires never', 2, 'the tenant does not allow API keys without expiry'],
    ['admin key create --tenant acme --name X --allowed-cidrs here', 2, "'allowed_cidrs' contains 'here'"],
    ['admin key revoke 00000000 --tenant acme', 1, 'there is no such API key'],
    ['admin token create --tenant acme --user nobody@acme.example', 1, 'there is no such user'],
    ['audit verify --tenant nobody', 1, 'there is no such tenant'],
  ])('%s ends with %i', async ([line, code, sentence]) => {
    const { stderr, ...rest } = await tripline(`${line} --data-dir refused`)
    expect(rest).toEqual({ code, stdout: '' })
    expect(stderr).toContain(sentence)
  })

  test.for([
    ['admin tenant list'],
    ['admin user create a@example.org --role viewer'],
    ['admin token create --user a@example.org'],
    ['audit verify'],
  ])('%s needs one that holds a state', async ([line]) => {
    const { code, stderr } = await tripline(`${line} --data-dir nowhere`)
    expect({ code, stderr }).toEqual({ code: 66, stderr: expect.stringContaining("data directory 'nowhere' holds no state") })
  })
})
