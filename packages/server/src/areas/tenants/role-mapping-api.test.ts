import { roleMappingResultSchema } from '@tripline/contract'
import type { RoleMappingEntry } from '@tripline/model/access/role-mapping'
import { onlyTenant } from '@tripline/model/tenant'
import { beforeEach, describe, expect, test } from 'vitest'
import { createTestRuntime, openTestServer } from '../../../test/open-test-server.ts'
import type { TestServer } from '../../../test/open-test-server.ts'
import { openExternalIssuer } from '../../access/tokens/external-issuer.ts'
import { createIssuerKey, signClaims, toPublicKeySet } from '../../access/tokens/issuer-key.ts'

const issuerKey = await createIssuerKey()
const audience = 'console'
const name = 'https://login.example'

let server: TestServer

beforeEach(async () => {
  const externalIssuer = openExternalIssuer({
    name, audience, keys: JSON.stringify(toPublicKeySet(issuerKey)), tenantClaim: 'tenant_id', tenants: 'every', roles: { claim: 'roles' },
  }, createTestRuntime())
  server = await openTestServer([], { externalIssuer })
})

/** A token of the external issuer. */
function externalToken(claims: object): string {
  const seconds = server.io.nowMs / 1_000
  return signClaims(issuerKey, { iss: name, aud: audience, sub: 'ann', tenant_id: onlyTenant, iat: seconds, exp: seconds + 600, ...claims })
}

const entry = (value: string, role: RoleMappingEntry['role'], claim = 'groups'): RoleMappingEntry => ({ claim, op: 'contains', value, role })

describe('a dry run', () => {
  type Row = readonly [title: string, stored: readonly RoleMappingEntry[], body: object, result: object]
  const mapping = [entry('soc', 'analyst'), entry('leads', 'admin')]

  test.for<Row>([
    ['the first entry that fits', [], { claims: { groups: ['leads', 'soc'] }, role_mapping: mapping }, { roles: ['analyst'], entry: 0 }],
    ['a later entry', [], { claims: { groups: ['leads'] }, role_mapping: mapping }, { roles: ['admin'], entry: 1 }],
    ['no entry', [], { claims: { groups: ['cooks'] }, role_mapping: mapping }, { roles: [], entry: null }],
    ['no claims', [], { claims: {}, role_mapping: mapping }, { roles: [], entry: null }],
    ['the stored mapping', mapping, { claims: { groups: ['leads'] } }, { roles: ['admin'], entry: 1 }],
    ['an empty mapping, under which the issuer names roles', mapping, { claims: { roles: ['viewer', 'auditor'] }, role_mapping: [] },
      { roles: ['viewer', 'auditor'], entry: null }],
    ['a nested claim', [], { claims: { realm: { roles: 'soc' } }, role_mapping: [entry('soc', 'viewer', 'realm.roles')] },
      { roles: ['viewer'], entry: 0 }],
  ])('shows the result of %s and changes nothing', async ([, role_mapping, body, result]) => {
    await server.call('PATCH', '/v1/settings', { body: { role_mapping } })
    const before = await server.call('GET', '/v1/settings')
    const answered = await server.call('POST', '/v1/settings/role-mapping/test', { body })
    expect(roleMappingResultSchema.parse(answered.body)).toEqual({ ...result, keeps_own_access: true })
    expect((await server.call('GET', '/v1/settings')).headers['etag']).toBe(before.headers['etag'])
  })

  test.for<[title: string, body: object]>([
    ["the platform's role", { claims: {}, role_mapping: [{ ...entry('soc', 'admin'), role: 'operator' }] }],
    ['claims that are no object', { claims: 'soc' }],
    ['no claims, from a user of this server', {}],
  ])('refuses %s', async ([, body]) => {
    expect((await server.call('POST', '/v1/settings/role-mapping/test', { body })).status).toBe(400)
  })

  test('without claims takes those of the own token', async () => {
    const token = externalToken({ roles: ['admin'], groups: ['leads'] })
    const tested = async (role_mapping: readonly RoleMappingEntry[]) => {
      return (await server.call('POST', '/v1/settings/role-mapping/test', { token, body: { role_mapping } })).body
    }
    expect(await tested(mapping)).toEqual({ roles: ['admin'], entry: 1, keeps_own_access: true })
    expect(await tested([entry('leads', 'engineer')])).toEqual({ roles: ['engineer'], entry: 0, keeps_own_access: false })
  })
})

describe('a change', () => {
  test.for<[title: string, stored: readonly RoleMappingEntry[], claims: object, changed: readonly RoleMappingEntry[], status: number]>([
    ['keeps the own role', [], { roles: 'admin', groups: 'leads' }, [entry('leads', 'admin')], 200],
    ['maps the own group to less', [], { roles: 'admin', groups: 'leads' }, [entry('leads', 'engineer')], 409],
    ['matches nothing of the own claims', [], { roles: 'admin', groups: 'leads' }, [entry('soc', 'admin')], 409],
    ['puts a lesser entry above the own', [entry('leads', 'admin')], { groups: ['all', 'leads'] },
      [entry('all', 'viewer'), entry('leads', 'admin')], 409],
    ['empties the mapping, where the issuer names no role', [entry('leads', 'admin')], { groups: 'leads' }, [], 409],
    ['empties the mapping, where the issuer names the role', [entry('leads', 'admin')], { groups: 'leads', roles: 'admin' }, [], 200],
  ])('that %s', async ([, stored, claims, role_mapping, status]) => {
    await server.call('PATCH', '/v1/settings', { body: { role_mapping: stored } })
    const token = externalToken(claims)
    expect((await server.call('PATCH', '/v1/settings', { token, body: { role_mapping } })).status).toBe(status)
    // Past the time for which a checked token is trusted.
    server.io.elapsedNowMs += 5_000
    expect((await server.call('GET', '/v1/settings', { token })).status).toBe(200)
  })

  test('by a user of this server is not bound by any claims', async () => {
    const body = { role_mapping: [entry('nobody', 'viewer')] }
    expect((await server.call('PATCH', '/v1/settings', { body })).status).toBe(200)
    expect((await server.call('GET', '/v1/settings')).status).toBe(200)
  })
})
