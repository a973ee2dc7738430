import { supportBundleSchema } from '@tripline/contract/console/support-bundle'
import { onlyTenant } from '@tripline/model/tenant'
import { expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'

test('the support bundle has figures, and no name, setting or secret of connectors', async () => {
  const server = await openTestServer([])
  const body = { name: 'of Ann', type: 'http_ndjson', config: { log_source: { product: 'private-product' } } }
  const { body: made } = await server.call('POST', '/v1/connectors', { body })
  const { id, ingest } = made as { readonly id: string; readonly ingest: { readonly token: string } }
  await server.call('POST', '/ingest/v1/events', { body: { message: 'a private text' }, token: ingest.token })
  const answer = await server.call('GET', '/v1/support-bundle')
  const { connectors, pipeline } = supportBundleSchema.parse(answer.body)
  expect(connectors).toMatchObject([{ id, stats: { events_received_total: 1 } }])
  expect(pipeline.books.accepted).toBe(1)
  const text = JSON.stringify(answer.body)
  for (const hidden of ['of Ann', 'private-product', 'a private text', ingest.token]) expect(text).not.toContain(hidden)
  await server.app.trail.flush()
  const { entries: [entry] } = await server.app.state.audit.list(onlyTenant, { limit: 1 })
  expect(entry).toMatchObject({ action: 'support_bundle.read', outcome: 'success' })
  expect(await server.call('GET', '/v1/support-bundle', { token: await server.tokenOf(['engineer']) })).toMatchObject({ status: 403 })
  const other = await server.call('GET', '/v1/support-bundle', { token: await server.tokenOf(['admin'], 'other') })
  expect(supportBundleSchema.parse(other.body)).toMatchObject({ connectors: [], pipeline: { books: { accepted: 0 } } })
})
