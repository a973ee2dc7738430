import { profileSchema, userListSchema } from '@tripline/contract'
import type { UserBody } from '@tripline/contract/console/access/user'
import { onlyTenant } from '@tripline/model/tenant'
import { beforeEach, describe, expect, test } from 'vitest'
import { openTestServer } from '../../test/open-test-server.ts'
import type { TestServer } from '../../test/open-test-server.ts'
import { limits } from '../limits.ts'
import { openExternalIssuer } from './tokens/external-issuer.ts'
import { createIssuerKey, signClaims, toPublicKeySet } from './tokens/issuer-key.ts'

const issuer = 'https://login.example'
const key = await createIssuerKey()
const ann = { sub: 'auth0|ann', email: 'Ann@example.org', name: 'Ann Archer', roles: ['analyst'] }

let server: TestServer

beforeEach(async () => {
  const externalIssuer = openExternalIssuer({
    name: issuer, audience: 'console', keys: JSON.stringify(toPublicKeySet(key)), tenantClaim: 'tenant_id', roles: { claim: 'roles' },
    tenants: 'every',
  }, { elapsedMs: () => 0 })
  server = await openTestServer([], { externalIssuer })
})

function sign(claims: object = {}): string {
  const iat = Math.floor(server.io.nowMs / 1_000)
  return signClaims(key, { iss: issuer, aud: 'console', tenant_id: onlyTenant, iat, exp: iat + 3_600, ...ann, ...claims })
}

async function readMe(token: string) {
  return profileSchema.parse((await server.call('GET', '/v1/auth/me', { token })).body)
}

async function findUser(email: string): Promise<UserBody | undefined> {
  const { users } = userListSchema.parse((await server.call('GET', '/v1/users')).body)
  return users.find((user) => user.email === email)
}

/** Passes the time after which a verified token is checked again. */
function passCheck(): void {
  server.io.elapsedNowMs += 5_000
}

async function callStatus(token: string): Promise<number> {
  return (await server.call('GET', '/v1/health', { token })).status
}

describe('a user of an external issuer', () => {
  test('has a profile from the claims, and is listed', async () => {
    const me = await readMe(sign())
    expect(me).toMatchObject({ email: ann.email, name: ann.name, roles: ['analyst'], tenant_id: onlyTenant })
    expect(await findUser(ann.email)).toMatchObject({ id: me.id, name: ann.name, is_active: true, issuer })
    const [entry] = (await server.app.state.audit.list(onlyTenant, { limit: 1 })).entries
    expect(entry).toMatchObject({ action: 'user.create', target: { id: me.id }, actor: { type: 'system', id: 'external_issuer' } })
  })

  test.for<[title: string, claims: object, profile: object]>([
    ['the user principal name', { email: undefined, upn: 'ann@corp.example' }, { email: 'ann@corp.example', name: ann.name }],
    ['the preferred name', { email: undefined, name: undefined, preferred_username: 'annie' }, { email: ann.sub, name: 'annie' }],
    ['the address as name', { name: undefined }, { email: ann.email, name: ann.email }],
    ['the subject alone', { email: undefined, name: undefined }, { email: ann.sub, name: ann.sub }],
    ['no address and no name that can be shown', { email: 'x', name: 'a\u202eb' }, { email: ann.sub, name: ann.sub }],
    ['claims of other types', { email: ['a@b.example'], name: { first: 'Ann' } }, { email: ann.sub, name: ann.sub }],
  ])('is named by %s', async ([, claims, profile]) => {
    expect(await readMe(sign(claims))).toMatchObject(profile)
  })

  test('keeps the id when address, name and roles change', async () => {
    const { id } = await readMe(sign())
    passCheck()
    const changed = await readMe(sign({ email: 'ann.baker@example.org', name: 'Ann Baker', roles: ['engineer'] }))
    expect(changed).toMatchObject({ id, email: 'ann.baker@example.org', name: 'Ann Baker', roles: ['engineer'] })
    const { users } = userListSchema.parse((await server.call('GET', '/v1/users')).body)
    expect(users.filter((user) => user.issuer !== null)).toHaveLength(1)
  })

  test.for<[part: string, claims: object, diff: object]>([
    ['address', { email: 'ann.baker@example.org' }, { email: ['Ann@example.org', 'ann.baker@example.org'], name: [ann.name, ann.name] }],
    ['name', { name: 'Ann Baker' }, { name: [ann.name, 'Ann Baker'] }],
    ['role', { roles: ['engineer'] }, { roles: [['analyst'], ['engineer']] }],
  ])('has a new %s alone stored, once, and the trail says what it was before', async ([, claims, diff]) => {
    const { id } = await readMe(sign())
    const readTrail = async () => (await server.app.state.audit.list(onlyTenant, { limit: 10 })).entries
    const before = await readTrail()
    passCheck()
    expect(await readMe(sign(claims))).toMatchObject({ id, ...claims })
    const [entry] = await readTrail()
    expect(entry).toMatchObject({ action: 'user.update', target: { id }, outcome: 'success', diff })
    passCheck()
    await readMe(sign({ ...claims, jti: 'another' }))
    expect((await readTrail()).length).toBe(before.length + 1)
  })

  test('is refused where the tenant has as many users as it may have', async () => {
    const { users } = server.app.state
    const [sample] = await users.list(onlyTenant)
    await server.app.state.transaction(async (stores) => {
      for (let count = (await stores.users.list(onlyTenant)).length; count < limits.admin.usersMax - 1; count++) {
        await stores.users.insert(onlyTenant, { ...sample!, id: `u${count}`, email: `u${count}@example.org`, externalIssuer: issuer })
      }
    })
    expect(await callStatus(sign())).toBe(200)
    expect(await callStatus(sign({ sub: 'auth0|bob', email: 'bob@example.org' }))).toBe(403)
    expect(await users.list(onlyTenant)).toHaveLength(limits.admin.usersMax)
  })

  test('can be assigned', async () => {
    await readMe(sign())
    const user = await server.app.state.users.findByEmail(onlyTenant, 'ann@EXAMPLE.org')
    expect(user).toMatchObject({ externalIssuer: issuer, isActive: true })
  })

  test('does not take over a local user with the same address', async () => {
    const { email } = (await server.app.state.users.list(onlyTenant))[0]!
    expect(await readMe(sign({ email }))).toMatchObject({ email: ann.sub, roles: ['analyst'] })
    expect(await findUser(email)).toMatchObject({ issuer: null, roles: ['admin'] })
  })

  test('is not opened by the password of an account in another tenant', async () => {
    const password = 'kettle orbit 41 marble'
    await server.tokenOf(['viewer'], 'other')
    const { email } = (await server.app.state.users.list('other')).at(-1)!
    await server.app.state.accounts.setPasswordHash(email, await server.app.identity.hasher.hash(password))
    const { id } = await readMe(sign({ email }))
    const logIn = (tenant?: string) => server.call('POST', '/v1/auth/login', { token: null, body: { email, password, tenant_id: tenant } })
    expect(await logIn()).toMatchObject({ status: 200, body: { user: { tenant_id: 'other' } } })
    expect(await logIn(onlyTenant)).toMatchObject({ status: 401 })
    expect(await server.call('POST', `/v1/users/${id}/password`)).toMatchObject({ status: 409 })
    expect((await logIn('other')).status).toBe(200)
  })

  test('is refused while disabled', async () => {
    const token = sign()
    const { id } = await readMe(token)
    const change = (isActive: boolean) => server.call('PATCH', `/v1/users/${id}`, { body: { is_active: isActive } })
    expect((await change(false)).status).toBe(200)
    expect(await callStatus(token)).toBe(401)
    expect(await callStatus(sign({ roles: ['admin'] }))).toBe(401)
    server.io.nowMs += 1_000
    expect((await change(true)).status).toBe(200)
    expect(await callStatus(token)).toBe(401)
    server.io.nowMs += 1_000
    expect(await callStatus(sign())).toBe(200)
  })

  test.for<[title: string, end: (id: string, token: string) => Promise<{ readonly status: number }>]>([
    ['by an admin', (id) => server.call('DELETE', `/v1/users/${id}/sessions`)],
    ['by the user', (_id, token) => server.call('DELETE', '/v1/auth/sessions', { token })],
  ])('is logged out %s', async ([, end]) => {
    const token = sign()
    const { id } = await readMe(token)
    server.io.nowMs += 1_000
    expect((await end(id, token)).status).toBe(204)
    expect(await callStatus(token)).toBe(401)
    server.io.nowMs += 1_000
    expect(await callStatus(sign())).toBe(200)
  })

  test.for<[method: string, path: string, body: object | undefined]>([
    ['PATCH', '', { name: 'Other' }], ['PATCH', '', { roles: ['viewer'] }], ['DELETE', '', undefined],
    ['POST', '/password', undefined], ['DELETE', '/totp', undefined],
  ])('is managed by the issuer: %s%s is refused', async ([method, path, body]) => {
    const { id } = await readMe(sign())
    expect(await server.call(method, `/v1/users/${id}${path}`, { body })).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
  })

  test('does not count as the last admin', async () => {
    await readMe(sign({ roles: ['admin'] }))
    const [local] = (await server.app.state.users.list(onlyTenant)).filter(({ externalIssuer }) => externalIssuer === undefined)
    expect((await server.call('PATCH', `/v1/users/${local!.id}`, { body: { is_active: false } })).status).toBe(409)
  })

  test('of an unknown tenant is refused and not stored', async () => {
    expect(await callStatus(sign({ tenant_id: 'nowhere' }))).toBe(401)
    expect(await server.app.state.users.list('nowhere')).toEqual([])
  })

  test('is stored once, however many requests come first', async () => {
    const statuses = await Promise.all(Array.from({ length: 5 }, (_, at) => callStatus(sign({ jti: String(at) }))))
    expect(statuses).toEqual([200, 200, 200, 200, 200])
    const { users } = userListSchema.parse((await server.call('GET', '/v1/users')).body)
    expect(users.filter((user) => user.issuer !== null)).toHaveLength(1)
  })
})
