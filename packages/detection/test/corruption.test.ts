import { chanceOf, seed } from '@tripline/storage/test/events/power-cuts'
import { SimulatedDisk } from '@tripline/storage/test/events/simulated-disk'
import type { StateStore } from '@tripline/state/ports/state-store'
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
  // One line or several: a busy machine hands out in parts what it lost.
  const logged = second.logLines.map((line) => Object(JSON.parse(line))).filter(({ message }) => /corrupted/.test(message))
  expect(logged.reduce((sum, { count }) => sum + Number(count), 0)).toBe(5)
  const sources = new Set(logged.map(({ level, stage, tenant }) => [level, stage, tenant].join(' ')))
  expect([...sources]).toEqual([`error deduplicate ${isOfA ? 'a' : 'b'}`])
  await second.close()
  const third = await openWorld({ disk, state })
  await untilIdle(third)
  expect(accountingOf(third)).toEqual(expected)
  await third.close()
})

test(`stored events are read again from the topic before them, whichever byte of their log is corrupted (seed ${seed})`, async () => {
  const chance = chanceOf(seed)
  const state = await openTestState()
  const pristine = new SimulatedDisk()
  const first = await openWorld({ disk: pristine, state })
  await ingest(first, 6)
  await untilIdle(first)
  await first.close()
  const expected = ([await readAll(pristine, state, 'a'), await readAll(pristine, state, 'b')]).map((texts) => [...texts].sort())
  expect(expected.map(({ length }) => length)).toEqual([15, 15])
  const path = pristine.paths.find((name) => name.startsWith('events-store/log/'))!
  const size = pristine.sizeOf(path)
  for (let i = 0; i < 12; i++) {
    const disk = pristine.restarted(() => 1)
    disk.flip(path, Math.floor(chance() * size))
    for (const start of ['first', 'second']) {
      const found = [await readAll(disk, state, 'a'), await readAll(disk, state, 'b')]
      expect([start, found.map((texts) => [...texts].sort())]).toEqual([start, expected])
    }
  }
})

async function readAll(disk: SimulatedDisk, state: StateStore, tenant: string): Promise<readonly string[]> {
  const world = await openWorld({ disk, state })
  await untilIdle(world)
  const texts = await storedTexts(world.events, tenant)
  expect(world.events.getDamage(tenant).lostCount).toBe(0)
  await world.close()
  return texts
}

/** The byte classes of a record: where a bit of it is flipped. */
const byteClasses = {
  magic: [0, 4], length: [4, 8], checksum: [8, 12], 'version and kind': [12, 14], offset: [14, 22], 'first bytes behind': [22, 40],
} as const

type Record = { readonly start: number; readonly end: number }

/** The records of a file: where each begins and ends. */
function listRecords(bytes: Buffer): Record[] {
  const records: Record[] = []
  for (let start = 0; start < bytes.length;) {
    const end = start + 12 + bytes.readUInt32LE(start + 4)
    records.push({ start, end })
    start = end
  }
  return records
}

/** Places of bits in a topic file: one in each class of bytes of each record, inside of it, and its last bit. */
function pickPlaces(bytes: Buffer, chance: () => number): (readonly [what: string, offset: number])[] {
  return listRecords(bytes).flatMap(({ start, end }, number) => {
    const classes = [...Object.entries(byteClasses), ['inside', [40, end - start - 1]] as const, ['the last byte', [end - start - 1, end - start]] as const]
    return classes.flatMap(([name, [from, to]]) => {
      if (start + from >= end || to <= from) return []
      return [[`record ${number}, ${name}`, Math.min(end - 1, start + from + Math.floor(chance() * (to - from)))] as const]
    })
  })
}

test(`the books balance whichever byte of the accepted events is corrupted (seed ${seed})`, async () => {
  const chance = chanceOf(seed)
  const pristine = new SimulatedDisk()
  const first = await openWorld({ disk: pristine, state: await openTestState() })
  await first.pipeline.close()
  await ingest(first, 4)
  await first.bus.close()
  await first.events.close()
  const [path = ''] = pristine.paths.filter((name) => name.startsWith('bus/topics/raw-events/')).slice(-1)
  const file = await pristine.open(path, 'read')
  const places = pickPlaces(await file.read(0, await file.size()), chance)
  expect(new Set(places.map(([what]) => what.split(', ')[1])).size).toBe(8)
  let lostCount = 0
  for (const [what, offset] of places) {
    const disk = pristine.restarted(() => 0)
    disk.flip(path, offset)
    const world = await openWorld({ disk, state: await openTestState() })
    await untilIdle(world)
    const books = ['a', 'b'].map((tenant) => world.pipeline.accounting(tenant))
    const stored = (await Promise.all(['a', 'b'].map((tenant) => storedTexts(world.events, tenant)))).map(({ length }) => length)
    expect([what, books.map((book) => [book.accepted, imbalanceOf(book), book.inFlight])]).toEqual([what, [[10, 0, 0], [10, 0, 0]]])
    expect([what, books.map(({ evaluated }) => evaluated)]).toEqual([what, stored])
    const lost = books.reduce((sum, book) => sum + book.lost, 0)
    // One bit costs the events of one batch at most.
    expect([what, lost === 0 || lost === 5]).toEqual([what, true])
    lostCount += lost
    await world.close()
  }
  expect(lostCount).toBeGreaterThan(0)
})
