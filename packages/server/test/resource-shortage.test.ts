import { anySshLogin, sshLogin } from '@tripline/detection/test/rules'
import { onlyTenant } from '@tripline/model/tenant'
import { openSegmentEventStore } from '@tripline/storage/events/segment-store'
import { collect, newEvent, textOf } from '@tripline/storage/test/events/conformance'
import { everything } from '@tripline/storage/test/events/predicates'
import { SimulatedDisk } from '@tripline/storage/test/events/simulated-disk'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { openTestServer } from './open-test-server.ts'

const shortages = ['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EINTR'] as const
const failures = ['EIO', 'EBADF', 'ENXIO', 'ENODEV'] as const
const operations = ['open', 'size', 'read', 'write', 'truncate', 'sync ', 'sync folder', 'remove', 'list'] as const

type Row = readonly [code: string, operation: string]

function rowsOf(codes: readonly string[], of: readonly string[]): Row[] {
  return codes.flatMap((code) => of.map((operation): Row => [code, operation]))
}

type FailingDisk = { readonly disk: SimulatedDisk; isShort: boolean }

/** A disk on which one operation fails with a code while `isShort`. */
function failingDisk([code, operation]: Row): FailingDisk {
  const state = { isShort: false }
  const disk = new SimulatedDisk({ errorAt: (what) => (state.isShort && what.startsWith(operation) ? code : undefined) })
  return Object.assign(state, { disk })
}

describe('the event store', () => {
  const day = 86_400_000
  /** Small, so that a short run closes blocks and log files, and removes some. */
  const sizes = { blockRowsMax: 5, logFileBytesMax: 600, logFilesMax: 2, cacheBytesMax: 10_000, filterBytesMax: 2_000 }
  const openStore = (disk: SimulatedDisk) => openSegmentEventStore({ disk, elapsedMs: () => 0, sizes })

  async function listIds(store: Awaited<ReturnType<typeof openStore>>): Promise<string[]> {
    const batches = await collect(store.scan({ tenant: 't', from: 0, to: 1e15, predicate: everything, batchEventsMax: 1_000 }))
    return batches.flatMap(({ events }) => events.map((event) => (JSON.parse(textOf(event)) as { readonly id: string }).id)).sort()
  }

  test.for(rowsOf(shortages, operations))('survives %s at %s: rejects as retryable or accepts, and goes on afterwards', async (row) => {
    const world = failingDisk(row)
    const store = await openStore(world.disk)
    const acknowledged: string[] = []
    const codes = new Set<unknown>()
    for (let i = 0; i < 120; i++) {
      world.isShort = i >= 30 && i < 90
      const id = `event-${String(i).padStart(3, '0')}`
      try {
        await store.append('t', [newEvent((i % 3) * day, { id, more: 'x'.repeat(i % 50) })])
        acknowledged.push(id)
      } catch (error) {
        codes.add(error instanceof Error && 'code' in error ? error.code : error)
      }
    }
    expect([...codes].filter((code) => code !== 'FULL')).toEqual([])
    expect(acknowledged.length).toBeGreaterThanOrEqual(60)
    expect(await listIds(store)).toEqual(acknowledged)
    await store.close()
    const reopened = await openStore(world.disk.restarted(() => 0))
    expect(await listIds(reopened)).toEqual(acknowledged)
    expect((await reopened.verify()).corruptedCount).toBe(0)
    await reopened.close()
  })

  test.for(rowsOf(failures, ['write', 'sync ', 'sync folder']))('stops after %s at %s', async (row) => {
    const world = failingDisk(row)
    const store = await openStore(world.disk)
    world.isShort = true
    const appended = () => store.append('t', [newEvent(0, { id: 'a' })])
    await expect(appended()).rejects.toMatchObject({ code: 'FAILED' })
    world.isShort = false
    await expect(appended()).rejects.toMatchObject({ code: 'FAILED' })
    await store.close()
  })
})

describe('a server', () => {
  test.for(rowsOf(shortages, operations))('survives %s at %s: answers 202 or 503, and evaluates each accepted event once', async (row) => {
    const world = failingDisk(row)
    const stopped: unknown[] = []
    const server = await openTestServer([anySshLogin], {
      disk: world.disk, isPatient: false,
      sizes: { fileBytesMax: 400, commitFileBytesMax: 400, recentBytesMax: 0 },
      pipeline: { checkpointMs: 10, pause: () => nextTurn(), onFailure: (error) => void stopped.push(error) },
    })
    let acceptedCount = 0
    for (let i = 0; i < 60; i++) {
      world.isShort = i >= 15 && i < 45
      server.io.elapsedNowMs += 5
      const { status } = await server.call('POST', '/ingest/v1/events', { body: sshLogin })
      expect([202, 503]).toContain(status)
      if (status === 202) acceptedCount++
    }
    await server.app.pipeline.untilIdle()
    expect(stopped).toEqual([])
    expect(acceptedCount).toBeGreaterThanOrEqual(30)
    const { accepted, evaluated, inFlight } = server.app.pipeline.accounting(onlyTenant)
    expect({ accepted, evaluated, inFlight }).toEqual({ accepted: acceptedCount, evaluated: acceptedCount, inFlight: 0 })
    expect(await server.call('GET', '/v1/search?q=host:db-1')).toMatchObject({ status: 200, body: { total: acceptedCount } })
    await server.app.pipeline.close()
  })

  test('answers a search with 503 while it has no descriptor for a segment', async () => {
    const world = failingDisk(['EMFILE', 'open'])
    const events = await openSegmentEventStore({
      disk: world.disk, elapsedMs: () => 0,
      sizes: { blockRowsMax: 1, logFileBytesMax: 600, logFilesMax: 2, cacheBytesMax: 0, filterBytesMax: 0 },
    })
    const server = await openTestServer([anySshLogin], { events })
    await server.call('POST', '/ingest/v1/events', { body: sshLogin })
    await events.flush()
    world.isShort = true
    expect(await server.call('GET', '/v1/search?q=host:db-1')).toMatchObject({ status: 503, body: { error: { code: 'UNAVAILABLE' } } })
    world.isShort = false
    expect(await server.call('GET', '/v1/search?q=host:db-1')).toMatchObject({ status: 200, body: { total: 1 } })
  })
})
