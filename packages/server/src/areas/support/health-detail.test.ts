import { healthDetailSchema } from '@tripline/contract/console/health-detail'
import { expect, test } from 'vitest'
import { openTestServer, testHost } from '../../../test/open-test-server.ts'

test('the detail of health has the process, its disk and the minutes so far', async () => {
  const server = await openTestServer([])
  const read = async () => healthDetailSchema.parse((await server.call('GET', '/v1/health/detail')).body)
  expect(await read()).toMatchObject({
    process: { version: testHost.version, resident_bytes: testHost.residentBytes, disk: { free_bytes: 400, size_bytes: 1_000 } },
    disk_full_in_days: null, history: [],
  })
  await server.app.metrics.tick()
  server.io.nowMs += 60_000
  await server.app.metrics.tick()
  const sample = { loop_lag_ms: 0, resident_bytes: 3_000, heap_bytes: 2_000, disk_free_bytes: 400 }
  expect((await read()).history).toEqual([
    { timestamp: '2026-11-20T10:00:00.000Z', ...sample }, { timestamp: '2026-11-20T10:01:00.000Z', ...sample },
  ])
  expect(await server.call('GET', '/v1/health/detail', { token: await server.tokenOf(['engineer']) })).toMatchObject({ status: 403 })
  await server.app.state.close()
})
