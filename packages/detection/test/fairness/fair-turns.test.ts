import { describe, expect, test } from 'vitest'
import { FairTurns } from '../../src/fairness/fair-turns.ts'
import { ReservedTurn } from '../../src/fairness/reserved-turn.ts'
import { TurnSlices } from '../../src/fairness/turn-slices.ts'
import { limits } from '../../src/limits.ts'
import { VirtualLoop } from './virtual-loop.ts'

const { heavyMs, heavyShare, iterationTurnsMax, lightTurnsMax, sharedTurnMs, turnMs, activeMs } = limits.fairness

type Opened = { readonly loop: VirtualLoop; readonly turns: FairTurns; readonly granted: string[]; readonly grantedMs: number[] }

function openTurns(): Opened & { readonly work: (tenant: string, turnCount: number, workMs?: number) => Promise<void> } {
  const loop = new VirtualLoop()
  const turns = new FairTurns(loop)
  const granted: string[] = []
  const grantedMs: number[] = []
  const work = async (tenant: string, turnCount: number, workMs = 0): Promise<void> => {
    for (let turn = 0; turn < turnCount; turn++) {
      grantedMs.push(await turns.next(tenant))
      granted.push(tenant)
      loop.nowMs += workMs
    }
  }
  return { loop, turns, granted, grantedMs, work }
}

/** Turns beside which a tenant is heavy. */
function openLoaded(): ReturnType<typeof openTurns> {
  const opened = openTurns()
  opened.turns.load.charge('heavy', 2 * heavyMs)
  return opened
}

test.for<readonly [loudCount: number]>([[1], [10], [1_000]])('a tenant waits for one turn of another with %d tasks', async ([loudCount]) => {
  const { loop, granted, work } = openTurns()
  const loud = Array.from({ length: loudCount }, () => work('loud', 5, turnMs))
  await loop.iterate()
  const quiet = work('quiet', 1)
  for (let iteration = 0; iteration < 2; iteration++) await loop.iterate()
  await quiet
  expect(granted.indexOf('quiet')).toBeLessThanOrEqual(2)
  while (granted.length < loudCount * 5 + 1) await loop.iterate()
  await Promise.all(loud)
})

test.for<readonly [workMs: number, counts: readonly number[]]>([
  [2 * turnMs, [1, 2, 3, 4, 5]], [turnMs, [1, 2, 3, 4, 5]], [turnMs / 2, [2, 4, 6, 8, 10]], [turnMs / 3, [3, 6, 9, 12, 12]],
  [0, [iterationTurnsMax, 12, 12, 12, 12]],
])('turns of %d ms in an iteration together last as long as one, however many tenants wait', async ([workMs, counts]) => {
  const { loop, granted, work } = openTurns()
  for (const tenant of ['a', 'a', 'b', 'c']) void work(tenant, 3, workMs)
  const seen: number[] = []
  for (let i = 0; i < counts.length; i++) {
    await loop.iterate()
    seen.push(granted.length)
  }
  expect(seen).toEqual(counts)
})

test('a request of a light tenant that takes several short turns has them in one iteration beside a heavy one', async () => {
  const { loop, turns, granted, work } = openLoaded()
  turns.load.charge('light', 1)
  void work('heavy', 100, sharedTurnMs)
  await loop.iterate()
  void work('light', 4, turnMs / 10)
  await loop.iterate()
  expect(granted).toEqual(['heavy', 'light', 'light', 'light', 'light'])
})

test('a tenant is not heavy because other processes had the core during its turns', async () => {
  const { loop, turns } = openTurns()
  for (let turn = 0; turn < 10; turn++) {
    void turns.next('quiet').then(() => {
      loop.nowMs += heavyMs + 1
      loop.othersMs += heavyMs
    })
    await loop.iterate()
  }
  expect(turns.load.isHeavy('quiet')).toBe(false)
})

describe('a heavy tenant', () => {
  test('alone has long turns and no pauses', async () => {
    const { loop, granted, grantedMs, work } = openLoaded()
    void work('heavy', 100, turnMs)
    while (granted.length < 100) await loop.iterate()
    expect([loop.pauses, new Set(grantedMs), loop.nowMs]).toEqual([[], new Set([turnMs]), 100 * turnMs])
  })

  test('beside a light one has short turns, and a fixed share of the time', async () => {
    const { loop, turns, granted, grantedMs, work } = openLoaded()
    turns.load.charge('light', 1)
    void work('heavy', 100, sharedTurnMs)
    while (granted.length < 100) await loop.iterate()
    expect(new Set(grantedMs)).toEqual(new Set([sharedTurnMs]))
    expect((100 * sharedTurnMs) / loop.nowMs).toBeCloseTo(heavyShare, 1)
  })

  test('pauses in proportion to a turn that took longer than it was granted', async () => {
    const { loop, turns, granted, work } = openLoaded()
    turns.load.charge('light', 1)
    void work('heavy', 2, 40)
    while (granted.length < 2) await loop.iterate()
    expect(loop.pauses).toEqual([40 * (1 / heavyShare - 1)])
  })

  test('has the whole time again once the light ones were idle for long enough', async () => {
    const { loop, turns, granted, work } = openLoaded()
    turns.load.charge('light', 1)
    loop.nowMs += activeMs + 1
    turns.load.charge('heavy', 2 * heavyMs)
    void work('heavy', 50, turnMs)
    while (granted.length < 50) await loop.iterate()
    expect(loop.pauses).toEqual([])
  })

  test('stays heavy while its work waits, however little of it is done', async () => {
    const { loop, turns, granted, work } = openLoaded()
    for (let i = 0; i < 20; i++) void work(`light${i}`, 10_000, turnMs)
    void work('heavy', 1_000, 0.1)
    const states = new Set<boolean>()
    while (loop.nowMs < 10_000) {
      await loop.iterate()
      states.add(turns.load.isHeavy('heavy'))
    }
    expect([granted.includes('heavy'), [...states]]).toEqual([true, [true]])
  })

  test('does not delay a light one during its pause', async () => {
    const { loop, turns, granted, work } = openLoaded()
    turns.load.charge('light', 1)
    void work('heavy', 3, sharedTurnMs)
    await loop.iterate()
    void work('light', 100, 0.01)
    await loop.iterate()
    expect(granted.slice(0, 2)).toEqual(['heavy', 'light'])
    while (granted.length < 103) await loop.iterate()
    const heavyAt = granted.flatMap((tenant, i) => (tenant === 'heavy' ? [i] : []))
    // The pause is as long as these turns of a hundredth of a millisecond.
    const pauseTurns = 100 * sharedTurnMs * (1 / heavyShare - 1)
    expect(Math.abs(heavyAt[1]! - Math.min(pauseTurns, 100))).toBeLessThanOrEqual(2 + lightTurnsMax)
  })

  test.for([1, 3, 20])('has a turn among those of %d light ones that always have work', async (lightCount) => {
    const { loop, granted, work } = openLoaded()
    for (let i = 0; i < lightCount; i++) void work(`light${i}`, 1_000)
    void work('heavy', 5)
    for (let i = 0; i < 5 * (lightTurnsMax + 1) + 1; i++) await loop.iterate()
    expect(granted.filter((tenant) => tenant === 'heavy').length).toBe(5)
  })
})

test('a slice of work for several tenants is light if one of them is', async () => {
  const { loop, turns, grantedMs } = openLoaded()
  turns.load.charge('light', 1)
  for (const tenants of [['heavy'], ['heavy', 'light']]) void turns.next('stage', tenants).then((ms) => grantedMs.push(ms))
  await loop.iterate()
  expect(grantedMs).toEqual([turnMs])
  await loop.iterate()
  expect(grantedMs).toEqual([turnMs, sharedTurnMs])
})

test('what light ones wait for comes before other work of heavy tenants, in short turns that are followed by a pause', async () => {
  const { loop, turns, granted, work } = openLoaded()
  turns.load.charge('light', 1)
  for (let task = 0; task < 20; task++) void work('heavy', 1, sharedTurnMs)
  const awaited = turns.next('stage', ['heavy'], true).then((ms) => {
    loop.nowMs += sharedTurnMs
    return ms
  })
  await loop.iterate()
  expect([await awaited, granted, loop.pauses]).toEqual([sharedTurnMs, [], [sharedTurnMs * (1 / heavyShare - 1)]])
})

test('slices take a turn whenever the one before is used up', async () => {
  const { loop, turns } = openTurns()
  const slices = new TurnSlices(turns, 'a')
  let stepCount = 0
  const working = (async () => {
    for (; stepCount < 30; stepCount++) {
      await slices.yieldIfDue()
      loop.nowMs += turnMs / 3
    }
  })()
  const counts: number[] = []
  while (stepCount < 30) {
    await loop.iterate()
    counts.push(stepCount)
  }
  await working
  expect(counts).toEqual([3, 6, 9, 12, 15, 18, 21, 24, 27, 30])
})

describe('a reserved turn', () => {
  test('is used by the next that takes one', async () => {
    const { loop, turns } = openTurns()
    const reserved = new ReservedTurn(turns, 'stage')
    const both = Promise.all([reserved.reserve(['a']), reserved.reserve(['a'])])
    await loop.iterate()
    await both
    expect(await reserved.take(['a'])).toBe(turnMs)
    let isTaken = false
    void reserved.take(['a']).then(() => (isTaken = true))
    await Promise.resolve()
    expect(isTaken).toBe(false)
    await loop.iterate()
    expect(isTaken).toBe(true)
  })

  test('of a stage with a batch of a heavy tenant in hand waits for no other work of heavy tenants', async () => {
    const { loop, turns, granted, work } = openLoaded()
    turns.load.charge('light', 1)
    for (let task = 0; task < 20; task++) void work('heavy', 1, sharedTurnMs)
    const slices = new ReservedTurn(turns, 'stage')
    let sliceCount = 0
    const batch = (async () => {
      for (; sliceCount < 5; sliceCount++) await slices.take(['heavy'])
    })()
    for (let iteration = 0; iteration < 5; iteration++) await loop.iterate()
    await batch
    expect([sliceCount, granted.length]).toEqual([5, 0])
  })

  test('that was released is not used', async () => {
    const { loop, turns } = openTurns()
    const reserved = new ReservedTurn(turns, 'stage')
    void reserved.reserve(['a'])
    await loop.iterate()
    reserved.release()
    let isTaken = false
    void reserved.take(['a']).then(() => (isTaken = true))
    await Promise.resolve()
    expect(isTaken).toBe(false)
    await loop.iterate()
    expect(isTaken).toBe(true)
  })
})
