import { expect, test } from 'vitest'
import { printOutcome, runTrial } from './run-trial.ts'

test('a flood is refused, and a quiet tenant beside it is not and has its alerts', { timeout: 120_000 }, async () => {
  const outcome = await runTrial({ seed: 1, phaseMs: 2_000, warmUpMs: 500, capacityBatches: 2, factor: 10, batchSize: 100, senders: 8 })
  const { baseline, flooded, flood } = outcome
  expect([baseline.missingCount, flooded.missingCount, baseline.refusedCount, flooded.refusedCount]).toEqual([0, 0, 0, 0])
  const statuses = new Map(flood.statuses)
  expect(statuses.get(429) ?? 0).toBeGreaterThan(0)
  expect([...statuses.keys()].filter((status) => status !== 202 && status !== 429)).toEqual([])
  expect(printOutcome(outcome)).toContain('| event to alert |')
})
