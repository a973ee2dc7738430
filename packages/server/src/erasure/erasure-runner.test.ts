import { memoryEvents } from '@tripline/storage/test/events/memory-events'
import { expect, test } from 'vitest'
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
