import { expect, test } from 'vitest'
import type { RuleHealthReport } from './rule-health.ts'
import { judgeRule } from './rule-verdict.ts'

type Row = readonly [
  state: RuleHealthReport['state'], truePositives: number, falsePositives: number, cpuSharePercent: number, verdict: string | null,
]

test.for<Row>([
  ['not_running', 0, 99, 0, null],
  ['matched', 0, 0, 0, 'keep: healthy'],
  ['running', 0, 0, 0, 'keep: healthy'],
  ['matched', 3, 2, 0, 'keep: confirmed'],
  ['matched', 0, 4, 0, 'keep: healthy'],
  ['matched', 2, 3, 0, 'tune: many_false_positives'],
  ['matched', 1, 8, 0, 'tune: many_false_positives'],
  ['matched', 1, 9, 0, 'retire: mostly_false_positives'],
  ['matched', 2, 9, 0, 'tune: many_false_positives'],
  ['matched', 0, 0, 10, 'tune: costly'],
  ['matched', 0, 0, 9.9, 'keep: healthy'],
  ['broken', 5, 0, 0, 'tune: broken'],
  ['degraded', 0, 0, 0, 'tune: degraded'],
  ['idle', 0, 0, 50, 'tune: idle'],
  ['never_routed', 0, 0, 0, 'silent: never_routed'],
  ['field_never_seen', 0, 0, 0, 'silent: field_never_seen'],
  ['never_candidate', 0, 0, 0, 'silent: never_candidate'],
  ['never_matched', 0, 0, 0, 'silent: never_matched'],
])('%s, %i confirmed, %i false, %d percent: %s', ([state, truePositives, falsePositives, cpuSharePercent, verdict]) => {
  const found = judgeRule({ health: { state, problem: undefined }, verdicts: { truePositives, falsePositives }, cost: { cpuSharePercent } })
  expect(found && `${found.value}: ${found.reason}`).toBe(verdict)
})

test('a rule whose cost was not measured is not costly', () => {
  const health = { state: 'matched', problem: undefined } as const
  const verdict = judgeRule({ health, verdicts: { truePositives: 0, falsePositives: 0 }, cost: undefined })
  expect(verdict).toEqual({ value: 'keep', reason: 'healthy' })
})
