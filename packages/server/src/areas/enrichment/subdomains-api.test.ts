import { identityListSchema } from '@tripline/contract/console/enrichment/identity'
import { subdomainListSchema } from '@tripline/contract/console/enrichment/subdomain'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestServer } from '../../../test/open-test-server.ts'

let server: TestServer
beforeEach(async () => {
  server = await openTestServer([])
  await server.call('PATCH', '/v1/settings', { body: { own_domains: ['acme.example'] } })
})
afterEach(() => server.app.state.close())

async function send(...events: readonly object[]): Promise<void> {
  await server.call('POST', '/ingest/v1/events', { body: events })
  await server.app.detection.pipeline.untilIdle()
  await server.app.detection.names.flush()
}

const list = async (query = '') => subdomainListSchema.parse((await server.call('GET', `/v1/subdomains${query}`)).body).subdomains

test('events and imports tell of host names under the own domains', async () => {
  await send(
    { EventID: 22, QueryName: 'shop.acme.example', QueryResults: '192.0.2.7;' }, { server_name: 'shop.acme.example', 'id.resp_h': '192.0.2.7' },
    { QueryName: 'elsewhere.example' },
  )
  const file = 'name,ip\nWWW.acme.example,192.0.2.1\nshop.acme.example,\nnot a name,\n'
  const { body } = await server.call('POST', '/v1/subdomains/import', { headers: { 'content-type': 'text/csv' }, body: file })
  expect(body).toMatchObject({ created: 1, changed: 1, rejected: 1, errors: [{ line: 4 }] })
  expect((await list()).map(({ name, domain, ip, sources }) => [name, domain, ip, sources])).toEqual([
    ['shop.acme.example', 'acme.example', '192.0.2.7', ['dns', 'tls', 'import']], ['www.acme.example', 'acme.example', '192.0.2.1', ['import']],
  ])
  expect((await list('?q=www&domain=acme.example')).length).toBe(1)
})

test('events tell of users, and when those that a directory names were last seen', async () => {
  await server.call('POST', '/v1/identities/import', { body: [{ name: 'alice', department: 'finance' }] })
  await send({ Computer: 'pc-7', EventID: 1, User: 'CORP\\Alice' }, { Computer: 'pc-7', EventID: 1, User: 'CORP\\Bob' })
  const { identities } = identityListSchema.parse((await server.call('GET', '/v1/identities')).body)
  expect(identities.map(({ name, department, sources, last_seen: seen }) => [name, department, sources, seen !== null])).toEqual([
    ['alice', 'finance', ['import'], true], ['corp\\bob', '', ['events'], true],
  ])
})
