import { expect, test } from 'vitest'
import { FairTurns } from './fair-turns.ts'

/** Turns on an event loop whose iterations the test counts. */
function openTurns(): { readonly turns: FairTurns; readonly iterate: () => Promise<void> } {
  let scheduled: (() => void)[] = []
  const turns = new FairTurns((grant) => void scheduled.push(grant))
  const iterate = async (): Promise<void> => {
    const due = scheduled
    scheduled = []
    for (const grant of due) grant()
    await Promise.resolve()
  }
  return { turns, iterate }
}

test.for<readonly [loudCount: number]>([[1], [10], [1_000]])('a tenant waits for one turn of another with %d tasks', async ([loudCount]) => {
  const { turns, iterate } = openTurns()
  const granted: string[] = []
  const work = async (tenant: string, turnCount: number): Promise<void> => {
    for (let turn = 0; turn < turnCount; turn++) {
      await turns.next(tenant)
      granted.push(tenant)
    }
  }
  const loud = Array.from({ length: loudCount }, () => work('loud', 5))
  await iterate()
  const quiet = work('quiet', 1)
  for (let iteration = 0; iteration < 2; iteration++) await iterate()
  await quiet
  expect(granted.length).toBeLessThanOrEqual(3)
  while (granted.length < loudCount * 5 + 1) await iterate()
  await Promise.all(loud)
})

test('one turn is granted in an iteration, whoever asks', async () => {
  const { turns, iterate } = openTurns()
  let grantedCount = 0
  for (const tenant of ['a', 'a', 'b', 'c']) void turns.next(tenant).then(() => grantedCount++)
  const counts: number[] = []
  for (let i = 0; i < 5; i++) {
    await iterate()
    counts.push(grantedCount)
  }
  expect(counts).toEqual([1, 2, 3, 4, 4])
})
