import { preferencesSchema, profileSchema } from '@tripline/contract'
import type { Role } from '@tripline/model/access/permission'
import { onlyTenant } from '@tripline/model/tenant'
import { userWith } from '@tripline/state/test/state-samples'
import { beforeEach, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestResponse, TestServer } from '../../../test/open-test-server.ts'
import { limits } from '../../limits.ts'

let server: TestServer
beforeEach(async () => {
  server = await openTestServer([])
})

async function profileOf(token: string): Promise<z.output<typeof profileSchema>> {
  return profileSchema.parse((await server.call('GET', '/v1/auth/me', { token })).body)
}

describe('the own profile', () => {
  test.for<[role: Role, has: string, lacks: string]>([
    ['viewer', 'answer_alerts', 'update_alerts'],
    ['analyst', 'update_alerts', 'edit_rules'],
    ['engineer', 'edit_rules', 'administer_tenant'],
    ['admin', 'administer_tenant', 'administer_platform'],
    ['auditor', 'read_audit', 'update_alerts'],
    ['operator', 'administer_platform', 'read'],
  ])('of the role %s has the permission %s and not %s', async ([role, has, lacks]) => {
    const { permissions } = await profileOf(await server.tokenOf([role]))
    expect(permissions).toEqual(expect.arrayContaining(['own_account', has]))
    expect(permissions).not.toContain(lacks)
  })

  test('has the tenant with its time zone', async () => {
    await server.call('PATCH', '/v1/settings', { body: { timezone: 'Asia/Seoul' } })
    const { tenant, tenant_id } = await profileOf(await server.tokenOf(['viewer']))
    expect(tenant).toEqual({ id: onlyTenant, name: expect.any(String), timezone: 'Asia/Seoul', response_targets: { critical: null, high: null, medium: null, low: null } })
    expect(tenant_id).toBe(onlyTenant)
  })

  test('lists the other tenants with an active user of the account', async () => {
    const { state } = server.app
    const token = await server.tokenOf(['viewer'])
    const { email, tenants: none } = await profileOf(token)
    expect(none).toEqual([])
    for (const tenant of ['acme', 'left', 'closed']) {
      await server.tokenOf(['viewer'], tenant)
      await state.users.insert(tenant, userWith({ id: 'same', email, isActive: tenant !== 'left' }))
    }
    await state.tenants.update('closed', { isActive: false }, { expectedVersion: undefined, at: 1 })
    expect((await profileOf(token)).tenants).toEqual([{ id: 'acme', name: 'acme' }])
  })

  test('of a user who lacks a second factor opens nothing but the own account', async () => {
    const token = await server.tokenOf(['viewer'])
    await server.app.state.tenants.update(onlyTenant, { settings: { mfa: 'required' } }, { expectedVersion: undefined, at: 1 })
    server.io.nowMs += limits.auth.standingMs + 1
    server.io.elapsedNowMs += limits.auth.standingMs + 1
    expect(await profileOf(token)).toMatchObject({ needs_second_factor: true, permissions: ['own_account'] })
  })
})

describe('preferences', () => {
  const put = (token: string, preferences: object, headers: { readonly [name: string]: string } = {}): Promise<TestResponse> =>
    server.call('PUT', '/v1/me/preferences', { token, headers, body: { preferences } })

  test('are stored for each user alone, under versions', async () => {
    const [token, other] = [await server.tokenOf(['viewer']), await server.tokenOf(['viewer'])]
    const get = async (token: string) => await server.call('GET', '/v1/me/preferences', { token })
    expect(await get(token)).toMatchObject({ body: { preferences: {} }, headers: { etag: '"0"' } })
    const dark = { theme: 'dark', columns: { alerts: ['severity', 'host'] } }
    expect(await put(token, dark, { 'if-match': '"0"' })).toMatchObject({ status: 200, headers: { etag: '"1"' } })
    expect(await put(token, { theme: 'light' }, { 'if-match': '"0"' })).toMatchObject({ status: 412 })
    expect(await put(token, dark)).toMatchObject({ headers: { etag: '"1"' } })
    expect(preferencesSchema.parse((await get(token)).body).preferences).toEqual(dark)
    expect((await get(other)).body).toEqual({ preferences: {} })
  })

  test('are bounded in bytes, not characters', async () => {
    const token = await server.tokenOf(['viewer'])
    const { preferencesBytesMax } = limits.profile
    const bytes = preferencesBytesMax - '{"a":""}'.length
    expect((await put(token, { a: 'x'.repeat(bytes) })).status).toBe(200)
    expect(await put(token, { a: 'é'.repeat(bytes / 2 + 1) })).toMatchObject({ status: 400, body: { error: { code: 'INVALID_BODY' } } })
  })

  test.for<[what: string, body: unknown]>([
    ['no object', { preferences: [] }],
    ['an unknown field', { preferences: {}, theme: 'dark' }],
    ['nothing', {}],
  ])('%s is refused', async ([, body]) => {
    expect(await server.call('PUT', '/v1/me/preferences', { body })).toMatchObject({ status: 400 })
  })

  test('go with the user', async () => {
    const token = await server.tokenOf(['viewer'])
    await put(token, { theme: 'dark' })
    const { id } = await profileOf(token)
    expect((await server.call('DELETE', `/v1/users/${id}`)).status).toBe(204)
    expect(await server.app.state.preferences.get(onlyTenant, id)).toEqual({ content: {}, version: 0 })
  })
})
