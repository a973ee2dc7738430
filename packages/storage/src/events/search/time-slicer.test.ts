import { expect, test } from 'vitest'
import { limits } from '../../limits.ts'
import { BudgetError, TimeSlicer } from './time-slicer.ts'

test('takes a turn before the first slice and whenever a slice is over, and ends with its budget', async () => {
  let nowMs = 0
  let turnCount = 0
  const takeTurn = async (): Promise<number> => {
    turnCount++
    return limits.events.turnMs
  }
  const slicer = new TimeSlicer({ elapsedMs: () => nowMs, takeTurn }, 10 * limits.events.turnMs)
  const turns: number[] = []
  for (const stepMs of [0, limits.events.turnMs / 2, limits.events.turnMs / 2, 1, limits.events.turnMs]) {
    nowMs += stepMs
    await slicer.yieldIfDue()
    turns.push(turnCount)
  }
  expect(turns).toEqual([1, 1, 2, 2, 3])
  nowMs = 10 * limits.events.turnMs
  await expect(slicer.yieldIfDue()).rejects.toThrow(BudgetError)
})
