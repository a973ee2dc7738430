import { alertListSchema, ingestReceiptSchema } from '@tripline/contract'
import { changedRuleSchema } from '@tripline/contract/console/rule-change'
import { anySshLogin, sshLogin } from '@tripline/detection/test/rules'
import { onlyTenant } from '@tripline/model/tenant'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'

const rulePath = '/v1/detection/rules/0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0002'
const versionCount = 12
// Fewer events than a storm of alerts has.
const batchCount = 90
const batchSize = 10
const titleOf = (version: number): string => `version ${version}`
const definitionOf = (version: number): string => anySshLogin.replace('Any SSH login', titleOf(version))

test('a rule changed under load evaluates each event once, from the reported offset', async () => {
  const server = await openTestServer([definitionOf(0)], { isPatient: false, pipeline: { checkpointMs: 5 } })
  const starts = [0]
  /** Offsets by the number that an event has in the name of its host. */
  const offsets: number[] = []
  const change = async (): Promise<void> => {
    for (let version = 1; version <= versionCount; version++) {
      while (offsets.length < version * 60) await pause(1)
      const { status, body } = await server.call('PUT', rulePath, { body: { definition: definitionOf(version) } })
      expect(status).toBe(200)
      starts.push(changedRuleSchema.parse(body).effective_from_offset ?? NaN)
      // A broken one in between is refused, and the one before goes on.
      expect(await server.call('PUT', rulePath, { body: { definition: 'title: Broken' } })).toMatchObject({ status: 400 })
    }
  }
  const send = async (batch: number): Promise<void> => {
    const numbers = Array.from({ length: batchSize }, (_, i) => batch * batchSize + i)
    const { body } = await server.call('POST', '/ingest/v1/events', { body: numbers.map((number) => ({ ...sshLogin, host: `h${number}` })) })
    const lastOffset = ingestReceiptSchema.parse(body).last_offset ?? NaN
    for (const number of numbers) offsets[number] = lastOffset - batchSize + 1 + (number % batchSize)
  }
  const sendAll = async (): Promise<void> => {
    for (let batch = 0; batch < batchCount; batch++) {
      await send(batch)
      await pause(1)
    }
  }
  await Promise.all([change(), sendAll()])
  await server.app.pipeline.untilIdle()

  const expected = offsets.map((offset) => titleOf(starts.findLastIndex((start) => start <= offset)))
  const titles: string[][] = expected.map(() => [])
  for (let cursor = ''; ;) {
    const { body } = await server.call('GET', `/v1/alerts?limit=500${cursor}`)
    const { alerts, pagination } = alertListSchema.parse(body)
    for (const { event, rule_title } of alerts) titles[Number(event.host.slice(1))]?.push(rule_title)
    if (typeof pagination.next_cursor !== 'string') break
    cursor = `&cursor=${pagination.next_cursor}`
  }
  expect(titles).toEqual(expected.map((title) => [title]))
  expect(new Set(expected).size).toBeGreaterThan(3)
  expect(server.app.pipeline.accounting(onlyTenant)).toMatchObject({ accepted: batchCount * batchSize, evaluated: batchCount * batchSize })
  expect((await server.call('GET', rulePath)).body).toMatchObject({ title: titleOf(versionCount) })
})
