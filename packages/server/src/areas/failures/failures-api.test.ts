import { failureListSchema } from '@tripline/contract/console/failures'
import type { FailureListBody } from '@tripline/contract/console/failures'
import { deadLetterTopic } from '@tripline/detection/pipeline/topics'
import { encodeDeadLetter } from '@tripline/detection/stages/dead-letter'
import { encoded, encodedPowerShell } from '@tripline/detection/test/rules'
import { onlyTenant } from '@tripline/model/tenant'
import { beforeEach, expect, test } from 'vitest'
import { FailureIndex } from '../../failures/failure-index.ts'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestServer } from '../../../test/open-test-server.ts'

const path = '/v1/pipeline/failures'

let server: TestServer
beforeEach(async () => {
  server = await openTestServer([encodedPowerShell])
})

/** Puts a record on the topic, as a stage does that cannot handle it. */
async function fail(event: string, { stage = 'deduplicate', tenant = onlyTenant } = {}): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify({ receivedAt: server.io.nowMs })}\n${event}`)
  const refusal = { offset: 0, reason: 'not_an_event', text: 'not a JSON object' }
  await server.app.bus.publish(deadLetterTopic, tenant, [encodeDeadLetter(stage, { offset: 0, tenant, bytes }, refusal)])
}

async function list(query = '', token?: string): Promise<FailureListBody> {
  const { status, body } = await server.call('GET', `${path}${query}`, token === undefined ? {} : { token })
  expect(status).toBe(200)
  return failureListSchema.parse(body)
}

const repeat = async (ids: readonly string[], token?: string) =>
  await server.call('POST', `${path}/reprocess`, { body: { ids }, ...(token !== undefined && { token }) })

test('a record that the pipeline refuses is listed with its reason and beginning', async () => {
  await server.app.pipeline.ingest(onlyTenant, [{ bytes: Buffer.from('[1, 2]'), connectorId: 'c-1' }])
  await expect.poll(async () => (await list()).total).toBe(1)
  expect((await list()).failures).toMatchObject([{
    stage: 'deduplicate', reason: 'not_an_event', received_at: new Date(server.io.nowMs).toISOString(), connector_id: 'c-1',
    excerpt: '[1, 2]', bytes: 6, repeatable: true, repeated: false,
  }])
  expect((await list('', await server.tokenOf(['admin'], 'other'))).total).toBe(0)
})

test('the newest come first, page by page and of a stage; what comes later is read on', async () => {
  for (const event of ['one', 'two', 'three']) await fail(event)
  await fail('four', { stage: 'store' })
  const first = await list('?limit=2')
  expect([first.failures.map(({ excerpt }) => excerpt), first.total]).toEqual([['four', 'three'], 4])
  const second = await list(`?limit=2&cursor=${first.next_cursor}`)
  expect([second.failures.map(({ excerpt }) => excerpt), second.next_cursor]).toEqual([['two', 'one'], null])
  expect((await list('?stage=store')).failures.map(({ excerpt, repeatable }) => [excerpt, repeatable])).toEqual([['four', false]])
  await fail('five')
  expect((await list('?limit=1')).failures.map(({ excerpt }) => excerpt)).toEqual(['five'])
  expect(await server.call('GET', `${path}?cursor=unknown`)).toMatchObject({ status: 400, body: { error: { code: 'INVALID_CURSOR' } } })
})

test('a record is sent through the pipeline again once, and its event is evaluated', async () => {
  await fail(JSON.stringify(encoded))
  await fail('of a later stage', { stage: 'detect' })
  await fail('of another tenant', { tenant: 'other' })
  const [later, first] = (await list()).failures
  const [foreign] = (await list('', await server.tokenOf(['admin'], 'other'))).failures
  const { status, body } = await repeat([first!.id, later!.id, foreign!.id])
  expect({ status, body }).toMatchObject({
    status: 200, body: { sent: 1, failed: [{ id: later!.id, code: 'CONFLICT' }, { id: foreign!.id, code: 'NOT_FOUND' }] },
  })
  type Listed = { readonly pagination: { readonly total: number } }
  const countAlerts = async () => ((await server.call('GET', '/v1/alerts')).body as Listed).pagination.total
  await expect.poll(countAlerts).toBe(1)
  expect((await list()).failures.map(({ repeated }) => repeated)).toEqual([false, true])
  expect((await repeat([first!.id])).body).toMatchObject({ sent: 0, failed: [{ id: first!.id, code: 'CONFLICT' }] })
  await server.app.trail.flush()
  const { entries } = await server.app.state.audit.list(onlyTenant, { limit: 5 })
  expect(entries.find(({ action }) => action === 'events.reprocess')).toMatchObject({ outcome: 'success' })
})

test('that a record was sent again is known after a start, and after an erasure of another', async () => {
  await fail(JSON.stringify(encoded))
  await fail('of qzjxkvwy')
  const [, first] = (await list()).failures
  expect((await repeat([first!.id])).body).toMatchObject({ sent: 1 })
  const reopened = new FailureIndex({ bus: server.app.bus, topic: deadLetterTopic })
  expect((await reopened.list(onlyTenant)).map(({ isRepeated }) => isRepeated)).toEqual([false, true])
  await server.app.bus.discard(deadLetterTopic, ({ bytes }) => !Buffer.from(bytes).includes('qzjxkvwy'))
  reopened.forget()
  expect(await reopened.list(onlyTenant)).toMatchObject([{ id: first!.id, isRepeated: true }])
})

test('roles that do not change connectors may only read', async () => {
  await fail('one')
  const token = await server.tokenOf(['analyst'])
  const [failure] = (await list('', token)).failures
  expect(await repeat([failure!.id], token)).toMatchObject({ status: 403 })
})

test('an erasure takes the records that name the person off the list', async () => {
  await fail('of qzjxkvwy')
  await fail('of Bob')
  expect((await list()).total).toBe(2)
  const { body } = await server.call('POST', '/v1/dsr', { body: { type: 'erasure', subject_ref: 'qzjxkvwy' } })
  const erasure = `/v1/dsr/${(body as { readonly id: string }).id}/erasure`
  expect(await server.call('POST', erasure, { body: { identifiers: ['qzjxkvwy'] } })).toMatchObject({ status: 202 })
  await expect.poll(async () => (await server.call('GET', erasure)).body).toMatchObject({ status: 'succeeded' })
  expect((await list()).failures.map(({ excerpt }) => excerpt)).toEqual(['of Bob'])
})
