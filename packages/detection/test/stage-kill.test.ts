import { openLocalBus } from '@tripline/storage/bus/local/local-bus'
import { nodeFileSystem } from '@tripline/storage/disk/file-system'
import { takeAll, textOf } from '@tripline/storage/test/bus/conformance'
import { runAndKill } from '@tripline/storage/test/run-and-kill'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { killSizes, killTopics } from './stage-kill-topics.ts'

const roundCount = Number(process.env['TRIPLINE_FULL'] === '1' ? 100 : 8)

/** Runs a publishing process for a while and kills it; returns the numbers it acknowledged. */
async function publishAndKill(folder: string, first: number, runMs: number): Promise<number[]> {
  const lines = await runAndKill(join(import.meta.dirname, 'stage-kill-main.ts'), [folder, String(first)], runMs)
  return lines.map(Number)
}

test(`a process that is killed ${roundCount} times loses no acknowledged message, neither before nor behind a stage`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tripline-bus-'))
  try {
    const acknowledged: number[] = []
    for (let round = 0; round < roundCount; round++) {
      const numbers = await publishAndKill(folder, round * 1_000_000, 20 + 23 * (round % 10))
      expect(numbers.length).toBeGreaterThan(0)
      acknowledged.push(...numbers)
    }
    const bus = await openLocalBus({ disk: nodeFileSystem(folder), topics: killTopics, sizes: killSizes })
    const copied = await takeAll(bus.consumer('out', 'test'), 1_000)
    const left = await takeAll(bus.consumer('in', 'stage'), 1_000)
    const kept = new Set([...copied, ...left].map((message) => Number(textOf(message))))
    expect(acknowledged.filter((number) => !kept.has(number))).toEqual([])
    expect([bus.stats('in').corruptedCount, bus.stats('out').corruptedCount]).toEqual([0, 0])
    // The first copies of a tenant's messages are in the order of publishing.
    for (const tenant of ['t', 'u', 'v']) {
      const firsts = [...new Set(copied.filter((message) => message.tenant === tenant).map((message) => Number(textOf(message))))]
      expect(firsts).toEqual(firsts.toSorted((a, b) => a - b))
    }
    await bus.close()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
