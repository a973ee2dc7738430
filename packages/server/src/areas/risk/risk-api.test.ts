import { riskListSchema } from '@tripline/contract/console/risk/risk'
import { onlyTenant } from '@tripline/model/tenant'
import { newAlertWith } from '@tripline/state/test/state-samples'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestServer } from '../../../test/open-test-server.ts'

let server: TestServer
beforeEach(async () => {
  server = await openTestServer([])
  const at = server.io.nowMs
  await server.app.state.alerts.insert(onlyTenant, ['m1', 'm2', 'm3'].map((id, i) => newAlertWith({
    id, dedupKey: id, matchedAt: at, level: i === 0 ? 'critical' : 'low',
    event: { ...newAlertWith({}).event, host: i === 2 ? 'web-2' : 'web-1', user: 'alice' },
  })))
})
afterEach(() => server.app.state.close())

const list = async (query = '', token?: string) =>
  riskListSchema.parse((await server.call('GET', `/v1/risk${query}`, token === undefined ? {} : { token })).body).risks

test('entities are listed by risk, as open alerts change', async () => {
  const shown = async (query?: string) => (await list(query)).map(({ entity_type: type, entity, score, level }) => `${type} ${entity} ${score} ${level}`)
  expect(await shown('?sort=score:desc,entity:asc')).toEqual(['user alice 59 high', 'host web-1 57 high', 'host web-2 5 low'])
  expect(await shown('?entity_type=host&level=low')).toEqual(['host web-2 5 low'])
  expect(await shown('?q=web&limit=1')).toEqual(['host web-1 57 high'])
  await server.call('PUT', '/v1/alerts/m1', { body: { status: 'resolved' } })
  expect(await shown('?entity_type=host')).toEqual(['host web-2 5 low', 'host web-1 5 low'])
})

test('another tenant has risks of its own', async () => {
  expect(await list('', await server.tokenOf(['viewer'], 'acme'))).toEqual([])
})
