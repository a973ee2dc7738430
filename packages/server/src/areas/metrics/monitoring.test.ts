import { encoded, encodedPowerShell } from '@tripline/detection/test/rules'
import { measureSyncs } from '@tripline/storage/disk/file-system'
import { SimulatedDisk } from '@tripline/storage/test/events/simulated-disk'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { load } from 'js-yaml'
import { beforeEach, describe, expect, test } from 'vitest'
import { openTestServer, scrapeToken } from '../../../test/open-test-server.ts'
import type { TestServer } from '../../../test/open-test-server.ts'
import { ServerMonitor } from '../../metrics/server/server-monitor.ts'
import { createHostStatsReader } from '../../host/read-host-stats.ts'

let server: TestServer
let monitor: ServerMonitor
beforeEach(async () => {
  server = await openTestServer([encodedPowerShell])
  monitor = server.app.metrics.monitor
})

async function scrape(): Promise<readonly string[]> {
  const { body } = await server.call('GET', '/metrics', { token: scrapeToken })
  return String(body).trimEnd().split('\n')
}

/** Something of everything that is counted. */
async function work(): Promise<void> {
  await server.call('POST', '/ingest/v1/events', { body: [encoded] })
  await server.call('GET', '/v1/alerts/none')
  monitor.synced('bus', 2)
  monitor.retained(server.io.nowMs, 0)
}

describe('requests', () => {
  test.for<[what: string, method: string, path: string, token: string | null | undefined, labels: string, code: string | undefined]>([
    ['answered', 'GET', '/v1/settings', undefined, 'method="GET",route="/v1/settings",status="200"', undefined],
    ['by template, not by id', 'GET', '/v1/alerts/none', undefined, 'method="GET",route="/v1/alerts/:id",status="404"', 'NOT_FOUND'],
    ['without a token', 'GET', '/v1/settings', null, 'method="GET",route="/v1/settings",status="401"', 'UNAUTHORIZED'],
    ['of no route', 'GET', '/v1/none/at/all', undefined, 'method="other",route="none",status="404"', 'NOT_FOUND'],
    ['of an unknown method', 'BREW', '/v1/settings', undefined, 'method="other",route="none",status="405"', 'METHOD_NOT_ALLOWED'],
  ])('%s are counted and timed', async ([, method, path, token, labels, code]) => {
    await server.call(method, path, { ...(token !== undefined && { token }) })
    const lines = await scrape()
    expect(lines).toContain(`tripline_http_requests_total{${labels}} 1`)
    const timed = labels.replace(/,status=.*/, '')
    expect(lines).toContain(`tripline_http_request_duration_seconds_bucket{${timed},le="0.001"} 1`)
    expect(lines).toContain(`tripline_http_request_duration_seconds_count{${timed}} 1`)
    expect(lines.filter((line) => line.startsWith('tripline_refused_requests_total{'))).toEqual(
      code === undefined ? [] : [`tripline_refused_requests_total{code="${code}"} 1`])
  })
})

test.for<[what: string, lengthMs: number, bounds: readonly number[]]>([
  ['the bound itself', 1, [1, 1, 1]],
  ['just above a bound', 1.001, [0, 1, 1]],
  ['beyond all bounds', 60_000, [0, 0, 1]],
  ['a clock that was set back', -5, [1, 1, 1]],
])('a duration enters the buckets from its own on: %s', async ([, lengthMs, bounds]) => {
  monitor.synced('bus', lengthMs)
  const lines = await scrape()
  const values = ['0.001', '0.005', '+Inf'].map((le) => lines.find((line) => line.startsWith(`tripline_fsync_seconds_bucket{store="bus",le="${le}"}`)))
  expect(values.map((line) => Number(line?.split(' ').at(-1)))).toEqual(bounds)
})

test.for<[what: string, body: object, count: number]>([
  ['a wrong password', { email: 'none@example.org', password: 'wrong' }, 1],
  ['a body that is refused', { email: 5 }, 0],
])('failed logins: %s', async ([, body, count]) => {
  await server.call('POST', '/v1/auth/login', { body, token: null })
  expect(await scrape()).toContain(`tripline_failed_logins_total ${count}`)
})

test('connections are counted until they close', async () => {
  const closings: (() => void)[] = []
  const open = () => monitor.connected({ once: (_, listener) => closings.push(listener) })
  open()
  open()
  closings[0]?.()
  expect(await scrape()).toContain('tripline_http_connections 1')
})

test('a retention run with a failure is no success', async () => {
  monitor.retained(5_000, 0)
  monitor.retained(9_000, 2)
  const lines = await scrape()
  for (const line of [
    'tripline_retention_runs_total 2', 'tripline_retention_failures_total 2', 'tripline_retention_last_success_timestamp_seconds 5',
  ]) expect(lines).toContain(line)
})

test('the age of a checkpoint is the time for which handled events wait for it', async () => {
  const waiting = await openTestServer([encodedPowerShell], { pipeline: { checkpointMs: 60_000 }, isPatient: false })
  const { pipeline } = waiting.app
  const ages = () => Object.fromEntries(pipeline.getCheckpointAges())
  expect(ages()).toEqual({ deduplicate: 0, detect: 0 })
  await waiting.call('POST', '/ingest/v1/events', { body: [encoded] })
  await pipeline.untilIdle()
  waiting.io.elapsedNowMs += 5_000
  expect(ages()).toEqual({ deduplicate: 5_000, detect: 5_000 })
  await pipeline.close()
  expect(ages()).toEqual({ deduplicate: 0, detect: 0 })
})

test('syncs of files and folders are timed, other work is not', async () => {
  let elapsed = 0
  const lengths: number[] = []
  const disk = measureSyncs(new SimulatedDisk(), () => (elapsed += 3), (durationMs) => lengths.push(durationMs))
  await disk.makeFolder('here')
  const file = await disk.open('here/file', 'write')
  await file.write(Buffer.from('text'), 0)
  await file.sync()
  await file.close()
  await disk.syncFolder('here')
  expect(lengths).toEqual([3, 3])
})

test('the host is read from the process and from the disk of the data directory', async () => {
  const { version, startedAtSeconds, openDescriptors = 1, descriptorsMax = 1, disk, ...rest } = await createHostStatsReader(tmpdir())()
  expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  expect(disk?.freeBytes).toBeLessThanOrEqual(disk?.sizeBytes ?? 0)
  for (const value of [startedAtSeconds, openDescriptors, descriptorsMax, rest.cpuSeconds, rest.heapBytes, rest.residentBytes]) {
    expect(value).toBeGreaterThan(0)
  }
  const elsewhere = await createHostStatsReader(`${tmpdir()}/no such folder`)()
  expect(elsewhere.disk).toBeUndefined()
})

describe('the files for monitoring', () => {
  const readDeployed = (path: string): Promise<string> => readFile(new URL(`../../../../../deploy/${path}`, import.meta.url), 'utf8')

  test.for(['prometheus/alerts.yml', 'grafana/tripline.json'])('%s names metrics that exist', async (path) => {
    await work()
    const lines = await scrape()
    // What has not happened yet, such as a quarantined event, has a family and no sample.
    const families = lines.filter((line) => line.startsWith('# TYPE ')).map((line) => line.split(' ')[2])
    const sampled = lines.filter((line) => !line.startsWith('#')).map((line) => line.split(/[{ ]/)[0])
    const exported = new Set([...families, ...sampled])
    const named = [...new Set((await readDeployed(path)).match(/\btripline_[a-z_]+/g))]
    expect([named.length > 15, named.filter((name) => !exported.has(name))]).toEqual([true, []])
  })

  test('every alert has a summary, an action and a severity', async () => {
    const { groups } = load(await readDeployed('prometheus/alerts.yml')) as {
      readonly groups: readonly { readonly rules: readonly object[] }[]
    }
    const rules = groups.flatMap((group) => group.rules)
    expect(rules.length).toBeGreaterThan(15)
    for (const rule of rules) {
      expect(rule).toMatchObject({
        alert: expect.stringMatching(/^Tripline[A-Z]/), expr: expect.any(String), labels: { severity: expect.stringMatching(/^(page|ticket)$/) },
        annotations: { summary: expect.any(String), action: expect.any(String) },
      })
    }
  })

  test('the dashboard places every panel once', async () => {
    const { panels } = JSON.parse(await readDeployed('grafana/tripline.json')) as {
      readonly panels: readonly { readonly id: number; readonly gridPos: { readonly x: number; readonly y: number } }[]
    }
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x},${y}`)).size).toBe(panels.length)
  })
})
