import { anySshLogin, sshLogin } from '@tripline/detection/test/rules'
import { onlyTenant } from '@tripline/model/tenant'
import { SimulatedDisk } from '@tripline/storage/test/events/simulated-disk'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { limits } from '../src/limits.ts'
import { openTestServer } from './open-test-server.ts'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'tripline-shutdown-'))))
afterEach(() => rmSync(folder, { recursive: true }))

test.for([1, 700])('with a backlog after %i events: ends at the next batch, and the next start handles the rest', async (handledCount) => {
  const eventCount = 3_000
  const disk = new SimulatedDisk()
  const statePath = join(folder, 'state.db')
  const open = (startedAt: number) =>
    openTestServer([anySshLogin], { disk, statePath, startedAt, isPatient: false, pipeline: { checkpointMs: 60_000 } })
  const first = await open(Date.UTC(2026, 10, 20))
  const body = Array.from({ length: eventCount }, (_, i) => ({ ...sshLogin, host: `h${i % 9}` }))
  expect(await first.call('POST', '/ingest/v1/events', { body })).toMatchObject({ status: 202 })
  const accounting = ({ app }: typeof first) => app.pipeline.accounting(onlyTenant)
  while (accounting(first).evaluated < handledCount) await nextTurn()
  const { evaluated: before } = accounting(first)
  await first.app.pipeline.close()
  const { evaluated: atEnd } = accounting(first)
  expect(atEnd - before).toBeLessThanOrEqual(limits.stage.batchMessagesMax)
  expect(atEnd).toBeLessThan(eventCount)
  await first.app.state.close()

  const second = await open(Date.UTC(2026, 10, 20, 1))
  // It goes on at once, while the rest of the server opens.
  expect(accounting(second)).toMatchObject({ accepted: eventCount, lost: 0 })
  expect(accounting(second).evaluated).toBeGreaterThanOrEqual(atEnd)
  await second.app.pipeline.untilIdle()
  expect(accounting(second)).toMatchObject({ accepted: eventCount, evaluated: eventCount, inFlight: 0, lost: 0, deduplicated: 0 })
  expect(await second.call('GET', '/v1/search?q=host:h8&limit=1')).toMatchObject({ body: { total: 333 } })
  await second.app.pipeline.close()
  await second.app.state.close()
})
