import { expect, test } from 'vitest'
import { assessSla, noTargets } from './response-targets.ts'
import type { Sla } from './response-targets.ts'

const targets = { ...noTargets, high: 60 }
const [createdAt, dueAt] = [1_000, 3_601_000]

test.for<[title: string, closedAt: number | undefined, now: number, state: Sla['state']]>([
  ['open before its time is over', undefined, dueAt - 1, 'on_track'],
  ['open when it is due', undefined, dueAt, 'overdue'],
  ['closed before', dueAt - 1, dueAt + 9, 'met'],
  ['closed when it is due', dueAt, dueAt, 'missed'],
])('%s', ([, closedAt, now, state]) => {
  expect(assessSla({ level: 'high', createdAt, closedAt }, { targets, now })).toEqual({ dueAt, state })
})

test('a level without a target is never due', () => {
  for (const level of ['low', 'informational'] as const) {
    expect(assessSla({ level, createdAt, closedAt: undefined }, { targets, now: dueAt })).toBeUndefined()
  }
})
