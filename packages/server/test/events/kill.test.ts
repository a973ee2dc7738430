import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { nodeDisk } from '../../src/disk.ts'
import { openEmbeddedEvents } from '../../src/events/embedded-events.ts'
import { collect, textOf } from './conformance.ts'
import { everything } from './predicates.ts'

const batchSize = 25
const roundCount = 10

/** Lets a process add events for a while and kills it; gives the first numbers of the batches it acknowledged. */
async function ingestAndKill(folder: string, first: number, runMs: number): Promise<number[]> {
  const main = join(import.meta.dirname, 'ingest-main.ts')
  const child = spawn(process.execPath, [main, folder, String(first)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const chunks: string[] = []
  let begun: () => void = () => {}
  const acknowledging = new Promise<void>((resolve) => (begun = resolve))
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk.toString())
    begun()
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  await Promise.race([acknowledging, ended])
  await wait(runMs)
  child.kill('SIGKILL')
  await ended
  return chunks.join('').split('\n').slice(0, -1).map(Number)
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
    const store = await openEmbeddedEvents({ disk: nodeDisk(folder), elapsedMs: () => performance.now() })
    const batches = await collect(store.scan({ tenant: 't', from: 0, to: 1e15, predicate: everything, batchEventsMax: 10_000 }))
    const kept = batches.flatMap(({ events }) => events.map((event) => (JSON.parse(textOf(event)) as { readonly number: number }).number))
    const keptOnce = new Set(kept)
    expect(acknowledged.filter((number) => !keptOnce.has(number))).toEqual([])
    expect(kept.length - keptOnce.size).toBe(0)
    // Batches that were under way when the process was killed may be there or not.
    expect(kept.length - acknowledged.length).toBeLessThanOrEqual(roundCount * 3 * batchSize)
    expect(await store.verify()).toMatchObject({ damagedCount: 0, eventCount: kept.length })
    await store.close()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
