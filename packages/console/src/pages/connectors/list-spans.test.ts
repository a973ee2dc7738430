import { expect, test } from 'vitest'
import { listSpans } from './list-spans.ts'

const at = (hours: number): string => new Date(hours * 3_600_000).toISOString()
const hour = 3_600_000

test.for([
  ['no change', [], []],
  ['a state that goes on', [[2, 'healthy']], [[2, 10, 'healthy']]],
  ['two states, the newest first', [[6, 'unhealthy'], [2, 'healthy']], [[2, 6, 'healthy'], [6, 10, 'unhealthy']]],
  ['one that began before the range', [[6, 'unhealthy'], [-5, 'healthy']], [[0, 6, 'healthy'], [6, 10, 'unhealthy']]],
  ['one that ended before it', [[-1, 'healthy'], [-5, 'pending']], [[0, 10, 'healthy']]],
] as const)('%s', ([, history, spans]) => {
  const changes = history.map(([hours, status]) => ({ timestamp: at(hours), status }))
  const expected = spans.map(([from, to, status]) => ({ from: from * hour, to: to * hour, status }))
  expect(listSpans(changes, { from: 0, to: 10 * hour })).toEqual(expected)
})
