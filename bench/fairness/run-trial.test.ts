import { expect, test } from 'vitest'
import { printOutcome, runTrial } from './run-trial.ts'

test('a quiet tenant beside a flood has its alerts, and is not refused', async () => {
  const outcome = await runTrial({
    seed: 1, phaseMs: 500, rounds: 2, settleMs: 0, warmUpMs: 500, capacityBatches: 2, factor: 10, batchSize: 100, senders: 8,
  })
  const { baseline, flooded, flood } = outcome
  expect([baseline.missingCount, flooded.missingCount, baseline.refusedCount, flooded.refusedCount]).toEqual([0, 0, 0, 0])
  // Whether the flood is refused depends on the machine: work-admission.test.ts says when it is.
  expect(flood.statuses.length).toBeGreaterThan(0)
  expect(flood.statuses.map(([status]) => status).filter((status) => status !== 202 && status !== 429)).toEqual([])
  expect(printOutcome(outcome)).toContain('| event to alert |')
})
