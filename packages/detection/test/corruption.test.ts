import { SimulatedDisk } from '@tripline/storage/test/events/simulated-disk'
import { expect, test } from 'vitest'
import { imbalanceOf, openTestState, openWorld, rawEvent, storedTexts, untilIdle } from './world.ts'
import type { World } from './world.ts'

/** Publishes events of two tenants in batches of five, each to its own record. */
async function ingest({ pipeline }: World, batches: number): Promise<void> {
  for (let batch = 0; batch < batches; batch++) {
    const tenant = batch % 2 === 0 ? 'a' : 'b'
    await pipeline.ingest(tenant, Array.from({ length: 5 }, (_, i) => rawEvent({ batch, i, text: 'needle'.repeat(20) })))
  }
}

/** The places of a text in a file. */
async function findText(disk: SimulatedDisk, path: string, text: string): Promise<number> {
  const file = await disk.open(path, 'read')
  return (await file.read(0, await file.size())).indexOf(text)
}

const accountingOf = ({ pipeline }: World) => {
  return ['a', 'b'].map((tenant) => {
    const { accepted, evaluated, lost } = pipeline.accounting(tenant)
    return [accepted, evaluated, lost, imbalanceOf(pipeline.accounting(tenant))]
  })
}

test.for<[topic: string, damaged: string]>([
  ['raw-events', '{"batch":2,'],
  ['raw-events', '{"batch":5,'],
])('a flipped bit in the events of %s at %s is counted as lost, for its tenant and for ever', async ([topic, damaged]) => {
  const disk = new SimulatedDisk()
  const state = await openTestState()
  // The topic is filled while the pipeline is closed, so that it reads the events from the disk.
  const first = await openWorld({ disk, state })
  await first.pipeline.close()
  await ingest(first, 6)
  await first.bus.close()
  await first.events.close()
  const [path = ''] = disk.paths.filter((name) => name.startsWith(`bus/topics/${topic}/`)).slice(-1)
  disk.flip(path, await findText(disk, path, damaged))
  const isOfA = damaged === '{"batch":2,'
  const expected = [isOfA ? [15, 10, 5, 0] : [15, 15, 0, 0], isOfA ? [15, 15, 0, 0] : [15, 10, 5, 0]]
  const second = await openWorld({ disk, state })
  await untilIdle(second)
  expect(accountingOf(second)).toEqual(expected)
  expect((await storedTexts(second.events, 'a')).length + (await storedTexts(second.events, 'b')).length).toBe(25)
  expect(second.bus.stats(topic).corruptedCount).toBe(5)
  const logged = second.logLines.map((line) => Object(JSON.parse(line))).filter(({ count }) => count === 5)
  expect(logged).toMatchObject([{ level: 'error', stage: 'deduplicate', tenant: isOfA ? 'a' : 'b' }])
  await second.close()
  const third = await openWorld({ disk, state })
  await untilIdle(third)
  expect(accountingOf(third)).toEqual(expected)
  await third.close()
})
