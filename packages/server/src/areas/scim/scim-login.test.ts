import { createdProvisioningTokenSchema, tokenSchema, userListSchema } from '@tripline/contract'
import { onlyTenant } from '@tripline/model/tenant'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestResponse, TestServer } from '../../../test/open-test-server.ts'
import { clientId, clientSecret, openOidcProvider } from '../../../test/sign-on/open-oidc-provider.ts'

const publicUrl = 'http://console.example'

let provider: Awaited<ReturnType<typeof openOidcProvider>>
let server: TestServer
let token: string

beforeAll(async () => {
  provider = await openOidcProvider(`${publicUrl}/v1/auth/oidc/callback`, {
    ann: { name: 'Ann at the provider', email: 'ann@acme.example', email_verified: true, groups: ['kitchen'] },
    bob: { name: 'Bob', email: 'bob@acme.example', groups: ['soc'] },
    eve: { name: 'Eve', email: 'ann@acme.example', email_verified: false, groups: ['soc'] },
  })
})
afterAll(() => provider.close())

beforeEach(async () => {
  server = await openTestServer([], { publicUrl })
  const role_mapping = [
    { claim: 'groups', op: 'contains', value: 'SOC Admins', role: 'admin' }, { claim: 'groups', op: 'contains', value: 'soc', role: 'analyst' },
  ]
  await server.call('PATCH', '/v1/settings', { body: { role_mapping } })
  await server.call('PUT', '/v1/settings/sso', {
    body: {
      enabled: true, enforced: false, issuer: provider.issuer, client_id: clientId, client_secret: clientSecret, email_domains: [],
      break_glass_user_id: null,
    },
  })
  token = createdProvisioningTokenSchema.parse((await server.call('POST', '/v1/settings/scim/tokens')).body).token
})

const scim = async (method: string, path: string, body: object): Promise<string> =>
  String(((await server.call(method, `/scim/v2${path}`, { token, body })).body as { readonly id: string }).id)
const addAnn = (): Promise<string> => scim('POST', '/Users', { userName: 'ann@acme.example', displayName: 'Ann Lee' })

async function logIn(user: string): Promise<TestResponse> {
  const started = await server.call('GET', '/v1/auth/oidc/start', { token: null })
  const cookie = /tripline_sign_on=[^;]*/.exec(started.headers['set-cookie'] ?? '')?.[0] ?? ''
  const back = await provider.logIn(started.headers['location'] ?? '', user)
  return await server.call('GET', `/v1/auth/oidc/callback${new URL(back).search}`, { token: null, headers: { cookie } })
}

/** The user of a login that opened a session. */
async function readUser({ headers }: TestResponse) {
  expect(headers['location']).toBe('/')
  const cookie = /tripline_refresh=[^;]*/.exec(headers['set-cookie'] ?? '')?.[0] ?? ''
  return tokenSchema.parse((await server.call('POST', '/v1/auth/refresh', { token: null, headers: { cookie } })).body).user
}

test('a provisioned user logs in as the user that SCIM added, with name and role of SCIM', async () => {
  const id = await addAnn()
  await scim('POST', '/Groups', { displayName: 'SOC Admins', members: [{ value: id }] })
  expect(await readUser(await logIn('ann'))).toMatchObject({ id, name: 'Ann Lee', roles: ['admin'] })
  // From now on it is the login that counts, not the address.
  await server.call('PATCH', `/scim/v2/Users/${id}`, { token, body: { Operations: [{ op: 'replace', value: { userName: 'lee@acme.example', 'emails[type eq "work"].value': 'lee@acme.example' } }] } })
  expect(await readUser(await logIn('ann'))).toMatchObject({ id, email: 'lee@acme.example' })
  const { users } = userListSchema.parse((await server.call('GET', '/v1/users')).body)
  expect(users).toHaveLength(2)
})

test('the id of the provider leads to the user, where the addresses differ', async () => {
  const id = await scim('POST', '/Users', { userName: 'robert@acme.example', externalId: 'bob' })
  expect(await readUser(await logIn('bob'))).toMatchObject({ id, email: 'robert@acme.example', roles: ['analyst'] })
})

test('an address that is not verified, or of a user with a password, leads to no one', async () => {
  const id = await addAnn()
  expect((await readUser(await logIn('eve'))).id).not.toBe(id)
  const own = await server.call('POST', '/v1/users', { body: { email: 'bob@acme.example', name: 'Bob', roles: ['admin'] } })
  expect((await readUser(await logIn('bob'))).id).not.toBe((own.body as { readonly id: string }).id)
})

test('a user without a role, deactivated or removed is refused', async () => {
  const id = await addAnn()
  expect((await logIn('ann')).headers['location']).toBe('/#sign-on=no_role')
  await scim('POST', '/Groups', { displayName: 'soc', members: [{ value: id }] })
  expect((await readUser(await logIn('ann'))).id).toBe(id)
  await server.call('PATCH', `/scim/v2/Users/${id}`, { token, body: { Operations: [{ op: 'Replace', path: 'active', value: 'False' }] } })
  expect((await logIn('ann')).headers['location']).toBe('/#sign-on=user_disabled')
  await server.call('DELETE', `/scim/v2/Users/${id}`, { token })
  expect((await logIn('ann')).headers['location']).toBe('/#sign-on=user_disabled')
  expect(await server.app.state.users.list(onlyTenant)).toHaveLength(2)
})
