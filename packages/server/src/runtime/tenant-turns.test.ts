import { expect, test, vi } from 'vitest'
import { TenantTurns } from './tenant-turns.ts'

const [a, b] = ['a', 'b'] as const

/** Turns over amounts of work, one piece a turn; they fail where the amount is negative. */
function openTurns(work: Map<string, number>) {
  const served: string[] = []
  const log = { warn: vi.fn<(message: string, fields?: object) => void>() }
  const turns = new TenantTurns({
    failure: 'work waits', log,
    serve: async (tenant) => {
      await Promise.resolve()
      const left = (work.get(tenant) ?? 0) - 1
      if (left < -1) throw new Error('broken')
      served.push(tenant)
      work.set(tenant, left)
      return left > 0
    },
  })
  return { turns, served, log }
}

test('tenants with much work have turns between each other', async () => {
  const { turns, served } = openTurns(new Map([['a', 3], ['b', 2]]))
  for (const tenant of [a, b, a]) turns.wake(tenant)
  await turns.untilIdle()
  expect(served).toEqual(['a', 'b', 'a', 'b', 'a'])
})

test('a turn that fails is logged and holds up no other', async () => {
  const { turns, served, log } = openTurns(new Map([['a', -9], ['b', 1]]))
  for (const tenant of [a, b]) turns.wake(tenant)
  await turns.untilIdle()
  expect(served).toEqual(['b'])
  expect(log.warn.mock.calls).toEqual([['work waits', { tenant: 'a', error: 'broken' }]])
})

test('stopping ends after the turn in hand', async () => {
  const served: string[] = []
  const turns: TenantTurns = new TenantTurns({
    failure: 'work waits', log: { warn() {} },
    serve: (tenant, signal) => {
      void turns.stop()
      served.push(`${tenant} ${signal.aborted}`)
      return Promise.resolve(true)
    },
  })
  for (const tenant of [a, b]) turns.wake(tenant)
  await turns.untilIdle()
  turns.wake(a)
  await turns.untilIdle()
  expect(served).toEqual(['a true'])
})
