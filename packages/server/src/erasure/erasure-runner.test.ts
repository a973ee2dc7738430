import { memoryEvents } from '@tripline/storage/test/events/memory-events'
import { expect, test, vi } from 'vitest'
import { openTestServer } from '../../test/open-test-server.ts'

test('what was read of events but not yet written brings no name back', async () => {
  const { call, app } = await openTestServer([], { events: memoryEvents() })
  const { pipeline, names, sightings } = app.detection
  const event = {
    hostname: 'web-1.corp.example', program: 'sshd', user: 'qzjxkvwy', message: 'Accepted password for qzjxkvwy from 10.0.0.9 port 4 ssh2',
  }
  await call('POST', '/ingest/v1/events', { body: JSON.stringify(event), headers: { 'content-type': 'application/x-ndjson' } })
  await pipeline.untilIdle()
  const { body: { id } } = await call('POST', '/v1/dsr', { body: { type: 'erasure', subject_ref: 'qzjxkvwy' } }) as { body: { id: string } }
  expect(await call('POST', `/v1/dsr/${id}/erasure`, { body: { identifiers: ['qzjxkvwy'] } })).toMatchObject({ status: 202 })
  await app.delivery.erasures.untilIdle()
  expect(await call('GET', `/v1/dsr/${id}/erasure`)).toMatchObject({ body: { status: 'succeeded', events_erased: 1 } })
  await Promise.all([names.flush(), sightings.flush()])
  for (const path of ['/v1/identities', '/v1/assets']) {
    const { status, body } = await call('GET', path)
    expect([status, JSON.stringify(body).includes('qzjxkvwy')], path).toEqual([200, false])
  }
})

test('texts on the audit trail that name the person are gone, with those that wait to be written, and the chain verifies', async () => {
  const { call, tokenOf } = await openTestServer([], { events: memoryEvents(), publicUrl: 'https://siem.example.org' })
  const auditor = { token: await tokenOf(['auditor']) }
  const added = await call('POST', '/v1/users', { body: { email: 'qzjxkvwy@example.org', name: 'Quinn Qzjxkvwy', roles: ['viewer'] } })
  expect(added).toMatchObject({ status: 201 })
  const settings = { type: 'email', host: 'mail.example.org', from: 'soc@example.org', to: ['qzjxkvwy@example.org'] }
  expect(await call('POST', '/v1/channels', { body: { name: 'Mail', settings } })).toMatchObject({ status: 201 })
  // A search is written to the trail later.
  expect(await call('GET', '/v1/alerts?q=qzjxkvwy')).toMatchObject({ status: 200 })
  expect(await call('GET', '/v1/alerts?q=web-server')).toMatchObject({ status: 200 })
  const { body: { id } } = await call('POST', '/v1/dsr', { body: { type: 'erasure', subject_ref: 'ticket 7' } }) as { body: { id: string } }
  const listTrail = async (): Promise<string> => JSON.stringify((await call('GET', '/v1/audit?limit=100', auditor)).body)
  expect(await listTrail()).toContain('qzjxkvwy@example.org')
  const erase = () => call('POST', `/v1/dsr/${id}/erasure`, { body: { identifiers: ['qzjxkvwy'] } })
  const message = "'qzjxkvwy@example.org' is a user of the tenant; remove the user first"
  expect(await erase()).toMatchObject({ status: 409, body: { error: { message } } })
  expect(await call('DELETE', `/v1/users/${(added.body as { id: string }).id}`)).toMatchObject({ status: 204 })
  expect(await erase()).toMatchObject({ status: 202 })
  await vi.waitUntil(async () => (await call('GET', `/v1/dsr/${id}/erasure`) as { body: { status: string } }).body.status === 'succeeded')
  expect(await call('GET', '/v1/channels')).toMatchObject({ status: 200, body: { channels: [{ settings: { to: [] }, enabled: false }] } })
  const trail = await listTrail()
  expect(trail).not.toMatch(/qzjxkvwy/i)
  expect(JSON.parse(trail)).toMatchObject({
    entries: expect.arrayContaining([
      expect.objectContaining({ action: 'user.create', diff: expect.objectContaining({ email: [null, '[erased]'] }) }),
      expect.objectContaining({ action: 'search.run', diff: expect.objectContaining({ text: '[erased]', list: 'alerts' }) }),
      expect.objectContaining({ action: 'search.run', diff: expect.objectContaining({ text: 'web-server' }) }),
    ]),
  })
  expect(await call('GET', '/v1/audit/verify', auditor)).toMatchObject({ body: { ok: true } })
})

test('rules lose their author in all versions, and detect what they did', async () => {
  const { call, app } = await openTestServer([], { events: memoryEvents() })
  const definition = (author: string): string =>
    `title: Runs as Qzjxkvwy\nid: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001\nauthor: ${author}\nlogsource: {product: linux}\n`
    + 'detection:\n    s:\n        user: qzjxkvwy\n    condition: s\nlevel: high\n'
  const created = await call('POST', '/v1/detection/rules', { body: { definition: definition('Qzjxkvwy, Bob') } })
  expect(created).toMatchObject({ status: 201 })
  const path = '/v1/detection/rules/0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001'
  expect(await call('PUT', path, { body: { definition: definition('Qzjxkvwy') } })).toMatchObject({ status: 200, body: { version: 2 } })
  const { body: { id } } = await call('POST', '/v1/dsr', { body: { type: 'erasure', subject_ref: 'ticket 7' } }) as { body: { id: string } }
  expect(await call('POST', `/v1/dsr/${id}/erasure`, { body: { identifiers: ['qzjxkvwy'] } })).toMatchObject({ status: 202 })
  await app.delivery.erasures.untilIdle()
  expect(await call('GET', `/v1/dsr/${id}/erasure`)).toMatchObject({
    body: { status: 'succeeded', error: '', still_named: [{ type: 'rule', id: '0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001' }] },
  })
  const { body } = await call('GET', path) as { body: { readonly [name: string]: unknown } }
  expect(body).toMatchObject({ title: 'Runs as [erased]', author: '[erased]', version: 3 })
  for (const version of [1, 2, 3]) {
    const { body: kept } = await call('GET', `${path}/versions/${version}`) as { body: { definition: string } }
    expect([version, kept.definition.match(/qzjxkvwy/gi)]).toEqual([version, ['qzjxkvwy']])
    expect(kept.definition).toContain('user: qzjxkvwy')
  }
  // The stream runs the new text.
  const event = { _logsource: { product: 'linux' }, user: 'qzjxkvwy', host: 'web-1' }
  await call('POST', '/ingest/v1/events', { body: JSON.stringify(event), headers: { 'content-type': 'application/x-ndjson' } })
  await app.detection.pipeline.untilIdle()
  expect(await call('GET', '/v1/alerts')).toMatchObject({ body: { total_estimate: 1, alerts: [{ rule_title: 'Runs as [erased]', rule_version: 3 }] } })
})
