import { setImmediate as others } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KeyedSemaphore } from './keyed-semaphore.ts'

/** When a task arrives, how long it runs, and when it gives up waiting. */
type Visit = {
  readonly key: string
  readonly begin: number
  readonly last: number
  readonly leaves: number | undefined
  readonly fails: boolean
}
const visits = fc.array(
  fc.record<Visit>({
    key: fc.constantFrom('a', 'b'),
    begin: fc.nat(10),
    last: fc.integer({ min: 1, max: 5 }),
    leaves: fc.option(fc.nat(15), { nil: undefined }),
    fails: fc.boolean(),
  }),
  { maxLength: 15 },
)

test('never runs more than its limit at once, in order of arrival, and starves no task', async () => {
  await fc.assert(fc.asyncProperty(visits, fc.integer({ min: 1, max: 3 }), async (all, atOnceMax) => {
    const turns = new KeyedSemaphore(atOnceMax)
    const inside = { a: 0, b: 0 }
    const begun: number[] = []
    let now = 0
    const until = async (instant: number): Promise<void> => {
      while (now < instant) await others()
    }
    const visit = async ({ key, begin, last, leaves, fails }: Visit, index: number): Promise<string> => {
      const stop = new AbortController()
      await until(begin)
      if (leaves !== undefined) void until(leaves).then(() => stop.abort(new Error('left')))
      return await turns.run(key, stop.signal, async () => {
        const isA = key === 'a'
        begun.push(index)
        expect(isA ? ++inside.a : ++inside.b).toBeLessThanOrEqual(atOnceMax)
        await until(now + last)
        if (isA) inside.a--
        else inside.b--
        if (fails) throw new Error('failed')
        return 'done'
      })
    }
    const ending = Promise.all(all.map((one, index) => visit(one, index).catch((error: unknown) => (error as Error).message)))
    let isOver = false
    const over = ending.then(() => (isOver = true))
    for (; !isOver && now < 200; now++) await others()
    await over
    const outcomes = await ending
    for (const [index, outcome] of outcomes.entries()) {
      const isDone = begun.includes(index)
      expect(outcome).toBe(isDone ? (all[index]!.fails ? 'failed' : 'done') : 'left')
      if (outcome === 'left') expect(all[index]!.leaves).toBeDefined()
    }
    // A task that arrived earlier and stayed ran earlier.
    for (const key of ['a', 'b']) {
      const order = begun.filter((index) => all[index]!.key === key).map((index) => all[index]!.begin)
      expect(order).toEqual([...order].sort((one, other) => one - other))
    }
  }), { numRuns: 100 })
})
