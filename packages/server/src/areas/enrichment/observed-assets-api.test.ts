import { assetListSchema } from '@tripline/contract'
import { expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'

test('events make assets, and an import joins what they tell', async () => {
  const server = await openTestServer([])
  const events = [
    { hostname: 'web-1.corp.example', program: 'sshd', user: 'ann', message: 'Accepted password for ann from 10.0.0.9 port 4 ssh2' },
    { hostname: 'gw', message: 'DHCPACK on 10.0.0.5 to 00:1b:44:11:3a:b7 (web-1) via eth0' },
  ]
  await server.call('POST', '/ingest/v1/events', { body: events.map((event) => JSON.stringify(event)).join('\n'), headers: { 'content-type': 'application/x-ndjson' } })
  await server.app.detection.pipeline.untilIdle()
  await server.app.detection.sightings.flush()
  await server.call('POST', '/v1/assets/import', { headers: { 'content-type': 'text/csv' }, body: 'hostname,owner\nweb-1,Ann\n' })
  const { assets } = assetListSchema.parse((await server.call('GET', '/v1/assets?sort=hostname')).body)
  expect(assets.map(({ hostname, owner, sources, ip_addresses: addresses }) => ({ hostname, owner, sources, addresses }))).toEqual([
    { hostname: 'gw', owner: '', sources: ['events'], addresses: [] },
    { hostname: 'web-1', owner: 'Ann', sources: ['events', 'dhcp', 'import'], addresses: ['10.0.0.5'] },
  ])
})
