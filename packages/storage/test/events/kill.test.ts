import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeFileSystem } from '../../src/disk/file-system.ts'
import { openSegmentEventStore } from '../../src/events/segment-store.ts'
import { runAndKill } from '../run-and-kill.ts'
import { collect, textOf } from './conformance.ts'
import { everything } from './predicates.ts'

const batchSize = 25
const roundCount = 10

/** Runs an appending process for a while and kills it; returns the first numbers of the batches it acknowledged. */
async function ingestAndKill(folder: string, first: number, runMs: number): Promise<number[]> {
  const lines = await runAndKill(join(import.meta.dirname, 'ingest-main.ts'), [folder, String(first)], runMs)
  return lines.map(Number)
}

test(`a process that is killed ${roundCount} times loses nothing acknowledged and repeats nothing`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tripline-events-'))
  try {
    const acknowledged: number[] = []
    for (let round = 0; round < roundCount; round++) {
      const batches = await ingestAndKill(folder, round * 1_000_000, 20 + 17 * round)
      expect(batches.length).toBeGreaterThan(0)
      acknowledged.push(...batches.flatMap((from) => Array.from({ length: batchSize }, (_, i) => from + i)))
    }
    const store = await openSegmentEventStore({ disk: nodeFileSystem(folder), elapsedMs: () => performance.now() })
    const batches = await collect(store.scan({ tenant: 't', from: 0, to: 1e15, predicate: everything, batchEventsMax: 10_000 }))
    const kept = batches.flatMap(({ events }) => events.map((event) => (JSON.parse(textOf(event)) as { readonly number: number }).number))
    const keptOnce = new Set(kept)
    expect(acknowledged.filter((number) => !keptOnce.has(number))).toEqual([])
    expect(kept.length - keptOnce.size).toBe(0)
    // Batches that were under way at the kill may be there or not.
    expect(kept.length - acknowledged.length).toBeLessThanOrEqual(roundCount * 3 * batchSize)
    expect(await store.verify()).toMatchObject({ corruptedCount: 0, eventCount: kept.length })
    await store.close()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
