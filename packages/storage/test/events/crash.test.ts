import { describe, expect, test } from 'vitest'
import { openSegmentEventStore } from '../../src/events/segment-store.ts'
import { verifyStore } from '../../src/events/verify-store.ts'
import type { SegmentEventStore } from '../../src/events/segment-store.ts'
import { decodeHeader, getBlockLength, getContentLength, headerLength } from '../../src/events/block/block-header.ts'
import { collect, newEvent, queryOf, textOf } from './conformance.ts'
import { everything, text } from './predicates.ts'
import { chanceOf, seed, untilPowerLost } from './power-cuts.ts'
import { SimulatedDisk } from './simulated-disk.ts'

const day = 86_400_000
/** Small, so that a short run fills blocks and log files, and removes some. */
const sizes = { blockRowsMax: 7, logFileBytesMax: 900, logFilesMax: 2, cacheBytesMax: 10_000, filterBytesMax: 2_000 }

function open(disk: SimulatedDisk): Promise<SegmentEventStore> {
  return openSegmentEventStore({ disk, elapsedMs: () => 0, sizes })
}

/** The requests to a store with events of some days, and its responses. */
type Run = { readonly acknowledged: Set<string>; readonly sent: Set<string>; readonly dayCount: number; nextId: number }

/** Appends events, several batches at once, until the power fails. */
async function work(store: SegmentEventStore, run: Run, batchCount: number): Promise<void> {
  for (let batch = 0; batch < batchCount; batch += 3) {
    await Promise.all(Array.from({ length: 3 }, async () => {
      const ids = Array.from({ length: 1 + (run.nextId % 4) }, () => `event-${run.nextId++}`)
      for (const id of ids) run.sent.add(id)
      // The mark of a batch is behind its last number.
      await store.append('t', ids.map((id, i) => newEvent(((run.nextId + i) % run.dayCount) * day, { id, more: 'x'.repeat(30) })), run.nextId)
      for (const id of ids) run.acknowledged.add(id)
    }))
  }
}

async function idsOf(store: SegmentEventStore): Promise<string[]> {
  const batches = await collect(store.scan({ tenant: 't', from: 0, to: 1e15, predicate: everything, batchEventsMax: 1_000 }))
  return batches.flatMap(({ events }) => events.map((event) => (JSON.parse(textOf(event)) as { readonly id: string }).id))
}

/** Cuts the power at a step, inspects, continues, cuts again at another, and inspects again. */
async function checkCrashAt(step: number, chance: () => number): Promise<void> {
  // With one day, blocks often end where a record does.
  const run: Run = { acknowledged: new Set(), sent: new Set(), dayCount: 1 + (step % 3), nextId: 0 }
  let disk = new SimulatedDisk({ faultAt: (number) => (number === step ? 'powerCut' : undefined) })
  const secondCut = Math.floor(chance() * 60)
  for (const cutAt of [secondCut, undefined]) {
    await untilPowerLost((async () => {
      const store = await open(disk)
      await work(store, run, 36)
      await store.close()
    })())
    disk = disk.restarted(chance, { faultAt: (number) => (number === cutAt ? 'powerCut' : undefined) })
  }
  const store = await open(disk)
  const ids = await idsOf(store)
  const lost = [...run.acknowledged].filter((id) => !ids.includes(id))
  const unknown = ids.filter((id) => !run.sent.has(id))
  const duplicated = ids.length - new Set(ids).size
  expect({ step, secondCut, lost, unknown, duplicated }).toEqual({ step, secondCut, lost: [], unknown: [], duplicated: 0 })
  expect([step, await store.getMark('t')]).toEqual([step, ids.length === 0 ? undefined : 1 + Math.max(...ids.map((id) => Number(id.slice(6))))])
  const sequences = (await store.search(queryOf({}))).events.map(({ sequence }) => sequence)
  expect(new Set(sequences).size).toBe(sequences.length)
  expect((await store.verify()).corruptedCount).toBe(0)
  await store.append('t', [newEvent(0, { id: 'after' })])
  expect((await idsOf(store)).length).toBe(ids.length + 1)
  await store.close()
}

test(`a power cut at any step loses nothing acknowledged and repeats nothing (seed ${seed})`, async () => {
  const whole = new SimulatedDisk()
  const store = await open(whole)
  await work(store, { acknowledged: new Set(), sent: new Set(), dayCount: 3, nextId: 0 }, 36)
  await store.close()
  expect(whole.stepCount).toBeGreaterThan(100)
  const chance = chanceOf(seed)
  const rounds = process.env['TRIPLINE_FULL'] === '1' ? 40 : 1
  for (let round = 0; round < rounds; round++) {
    for (let step = 0; step <= whole.stepCount; step++) await checkCrashAt(step, chance)
  }
})

/** Appends events of three days, drops two of the days, appends late ones; cuts the power at a step. */
async function checkCrashWhileDropping(step: number, chance: () => number): Promise<void> {
  let disk = new SimulatedDisk({ faultAt: (number) => (number === step ? 'powerCut' : undefined) })
  let isDropped = false
  const late = new Set<string>()
  await untilPowerLost((async () => {
    const store = await open(disk)
    for (let i = 0; i < 24; i++) await store.append('t', [newEvent((i % 3) * day, { id: `early-${i}` })])
    await store.retain('t', 2 * day, 500 * 86_400_000)
    isDropped = true
    for (let i = 0; i < 24; i++) {
      await store.append('t', [newEvent((i % 3) * day, { id: `late-${i}` })])
      late.add(`late-${i}`)
    }
    await store.close()
  })())
  for (let restart = 0; restart < 2; restart++) {
    disk = disk.restarted(chance)
    const store = await open(disk)
    const ids = await idsOf(store)
    const returned = ids.filter((id) => id.startsWith('early') && Number(id.slice(6)) % 3 !== 2)
    if (isDropped) expect([step, returned]).toEqual([step, []])
    expect([step, [...late].filter((id) => !ids.includes(id))]).toEqual([step, []])
    expect(new Set(ids).size).toBe(ids.length)
    await store.close()
  }
}

test(`a power cut while days are dropped brings none of them back, and loses nothing that came later (seed ${seed})`, async () => {
  const chance = chanceOf(seed)
  for (let step = 0; step < 160; step++) await checkCrashWhileDropping(step, chance)
})

describe('faults', () => {
  test.for<[fault: 'failedSync' | 'failedWrite', what: string]>([
    ['failedSync', 'sync log'],
    ['failedWrite', 'write log'],
    ['failedSync', '.seg'],
    ['failedSync', '.idx'],
    ['failedWrite', '.seg'],
    ['failedSync', 'sync folder log'],
  ])('after a %s at %s no more events are accepted, and reads go on', async ([fault, what]) => {
    let isFaulty = false
    const disk = new SimulatedDisk({ faultAt: (_, step) => (isFaulty && step.includes(what) ? fault : undefined) })
    const store = await open(disk)
    await store.append('t', [newEvent(0, { id: 'before' })])
    isFaulty = true
    const refused: string[] = []
    for (let i = 0; i < 40; i++) {
      await store.append('t', [newEvent(0, { id: String(i) })]).catch((error: { readonly code: string }) => refused.push(error.code))
    }
    isFaulty = false
    await expect(store.append('t', [newEvent(0, {})])).rejects.toThrow('the event store stopped after a disk failure')
    expect(new Set(refused)).toEqual(new Set(['FAILED']))
    const ids = await idsOf(store)
    expect(ids).toContain('before')
    expect(ids.length + refused.length).toBe(41)
    await store.close()
    const again = await open(disk.restarted(() => 1))
    expect(new Set(await idsOf(again))).toEqual(new Set([...ids, ...(await idsOf(again))]))
    await again.close()
  })

  test.for<[what: string]>([['write log'], ['write events'], ['create log'], ['.idx']])(
    'a disk that is full at %s rejects events, goes on reading, and accepts events again once there is space', async ([what]) => {
      let isFull = false
      const disk = new SimulatedDisk({ faultAt: (_, step) => (isFull && step.includes(what) ? 'full' : undefined) })
      const store = await open(disk)
      const taken: string[] = []
      const refused: string[] = []
      for (let i = 0; i < 120; i++) {
        isFull = 40 <= i && i < 80
        const id = `event-${i}`
        await store.append('t', [newEvent(0, { id, more: 'x'.repeat(50) })]).then(
          () => taken.push(id), (error: { readonly code: string }) => refused.push(error.code))
        if (i === 79) expect((await idsOf(store)).length).toBe(taken.length)
      }
      expect(new Set(refused)).toEqual(new Set(what === 'create log' ? [] : ['FULL']))
      expect(await idsOf(store)).toEqual(taken)
      await store.close()
      const again = await open(disk.restarted(() => 0))
      expect(await idsOf(again)).toEqual(taken)
      await again.close()
    })

  test('partial writes are completed', async () => {
    const disk = new SimulatedDisk({ faultAt: () => 'shortWrite' })
    const store = await open(disk)
    const run: Run = { acknowledged: new Set(), sent: new Set(), dayCount: 3, nextId: 0 }
    await work(store, run, 12)
    await store.close()
    const again = await open(disk.restarted(() => 0))
    expect(new Set(await idsOf(again))).toEqual(run.acknowledged)
    await again.close()
  })
})

describe('damage', () => {
  /** A store with one segment of five blocks, and an empty log. */
  async function filled(): Promise<{ disk: SimulatedDisk; ids: readonly string[] }> {
    const disk = new SimulatedDisk()
    const store = await open(disk)
    const ids = Array.from({ length: 35 }, (_, i) => `event-${i}`)
    for (const id of ids) await store.append('t', [newEvent(0, { id, note: `${id} `.repeat(40) })])
    await store.flush()
    await store.close()
    return { disk, ids }
  }

  test('a flipped bit anywhere in a segment costs nothing, is reported, and is repaired', async () => {
    const { disk: pristine, ids } = await filled()
    const segment = pristine.paths.find((path) => path.endsWith('.seg'))!
    const size = pristine.sizeOf(segment)
    for (let offset = 0; offset < size; offset += 23) {
      const disk = pristine.restarted(() => 0)
      disk.flip(segment, offset)
      const store = await open(disk)
      const { corruptedCount, firstCorruption, damagedBlocks } = await store.verify()
      const { events, total, isTotalExact, corruptedCount: unread } = await store.search(queryOf({}))
      const found = events.map((event) => (JSON.parse(textOf(event)) as { readonly id: string }).id)
      expect([offset, new Set(found), total, isTotalExact, unread]).toEqual([offset, new Set(ids), ids.length, true, 0])
      expect([offset, corruptedCount, firstCorruption?.file, damagedBlocks.map(({ isLost }) => isLost)]).toEqual([offset, 1, segment, [false]])
      await store.inspect(damagedBlocks)
      expect([offset, (await store.verify()).corruptedCount, store.getDamage('t')]).toEqual([offset, 0, { lostCount: 0, repairedCount: 1, ignoredFilterCount: 0 }])
      await store.close()
    }
  })

  test('a block is read only where its filter allows a match', async () => {
    const { disk: pristine } = await filled()
    const segment = pristine.paths.find((path) => path.endsWith('.seg'))!
    const disk = pristine.restarted(() => 0)
    const size = disk.sizeOf(segment)
    const store = await open(disk)
    // With every directory corrupted, opening any block fails.
    const file = await disk.open(segment, 'read')
    let blockCount = 0
    for (let offset = 0; offset < size; blockCount++) {
      const header = decodeHeader(await file.read(offset, headerLength))!
      disk.flip(segment, offset + headerLength + header.filterLength + 8)
      // Without the parity it cannot be repaired.
      const end = offset + getBlockLength(header)
      for (let at = offset + getContentLength(header); at < end; at += 4) disk.flip(segment, at)
      offset = end
    }
    const searched = async (pattern: string) => {
      const query = { predicate: text('id', pattern), from: 0, to: 1 }
      const page = await store.search(queryOf(query))
      const partials = await collect(store.histogram({ tenant: 't', budgetMs: 1e6, ...query }))
      const batches = await collect(store.scan({ tenant: 't', batchEventsMax: 10, ...query }))
      return [page.corruptedCount, page.isTotalExact, partials.at(-1)?.isExact, batches.at(-1)?.corruptedCount ?? 0]
    }
    expect(await searched('nowhere')).toEqual([0, true, true, 0])
    expect(await searched('event-*')).toEqual([blockCount, false, false, blockCount])
    await store.close()
  })

  test('a flipped bit in an index costs nothing', async () => {
    const { disk: pristine, ids } = await filled()
    const index = pristine.paths.find((path) => path.endsWith('.idx'))!
    for (let offset = 0; offset < pristine.sizeOf(index); offset += 7) {
      const disk = pristine.restarted(() => 0)
      disk.flip(index, offset)
      const store = await open(disk)
      expect([offset, await idsOf(store)]).toEqual([offset, ids])
      expect((await store.verify()).corruptedCount).toBe(0)
      await store.close()
    }
  })

  test('a flipped bit in the log costs only its record, and is reported unless it is the last, while events are lost', async () => {
    const pristine = new SimulatedDisk()
    const filledStore = await open(pristine)
    for (let i = 0; i < 6; i++) await filledStore.append('t', [newEvent(0, { id: `event-${i}` })])
    await filledStore.close()
    const log = pristine.paths.find((path) => path.endsWith('.log'))!
    for (let offset = 0; offset < pristine.sizeOf(log); offset += 3) {
      const disk = pristine.restarted(() => 0)
      disk.flip(log, offset)
      const before = await verifyStore(disk)
      const store = await open(disk)
      const found = await idsOf(store)
      expect(found.length).toBeGreaterThanOrEqual(5)
      const isLast = found.length === 5 && !found.includes('event-5')
      const after = await store.verify()
      const isLost = found.length === 5 && !isLast
      expect([offset, before.corruptedCount, after.corruptedCount]).toEqual([offset, isLast ? 0 : 1, isLost ? 1 : 0])
      await store.close()
    }
  })

  test('garbage behind a log or a segment is skipped, and cut off the segment', async () => {
    const { disk, ids } = await filled()
    for (const path of disk.paths) {
      const file = await disk.open(path, 'write')
      await file.write(Buffer.from('garbage TBLK TREC and more of it'), await file.size())
    }
    const store = await open(disk)
    expect(await idsOf(store)).toEqual(ids)
    expect((await store.verify()).corruptedCount).toBe(0)
    await store.append('t', [newEvent(0, { id: 'after' })])
    await store.flush()
    await store.close()
    const again = await open(disk)
    expect(await idsOf(again)).toEqual([...ids, 'after'])
    await again.close()
  })
})
