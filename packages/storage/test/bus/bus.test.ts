import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { nodeFileSystem } from '../../src/disk/file-system.ts'
import type { FileSystem } from '../../src/disk/file-system.ts'
import { openLocalBus } from '../../src/bus/local/local-bus.ts'
import { SimulatedDisk } from '../events/simulated-disk.ts'
import { describeBus, testSizes, testTopics } from './conformance.ts'
import type { TestedBus } from './conformance.ts'
import { MemoryBus } from './memory-bus.ts'

async function openLocal(disk: FileSystem): Promise<TestedBus> {
  const open = () => openLocalBus({ disk, topics: testTopics, sizes: testSizes })
  const bus = await open()
  return {
    bus,
    reopen: async () => {
      await bus.close()
      return await open()
    },
  }
}

describeBus('a bus in memory', async () => {
  const bus = new MemoryBus(testTopics, testSizes)
  return {
    bus,
    reopen: async () => {
      bus.reopen()
      return bus
    },
  }
})
describeBus('a bus on a simulated disk', () => openLocal(new SimulatedDisk()))

test.for<[topic: string, filesMax: number]>([['one', 1], ['kept', 3]])('committed files of the topic %s: at most %d stay', async ([topic, filesMax]) => {
  const disk = new SimulatedDisk()
  const { bus } = await openLocal(disk)
  const consumer = bus.consumer(topic, 'a')
  for (let i = 0; i < 40; i++) {
    const { lastOffset } = await bus.publish(topic, 't', [new Uint8Array(100)])
    await consumer.poll({ max: 1 })
    await consumer.commit(lastOffset + 1)
    expect(disk.paths.filter((path) => path.startsWith(`topics/${topic}/`)).length).toBeLessThanOrEqual(filesMax + 1)
  }
  await bus.close()
})

const folders: string[] = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))
describeBus('a bus on disk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tripline-bus-'))
  folders.push(folder)
  return await openLocal(nodeFileSystem(folder))
})
