import { expect, test } from 'vitest'
import { readCorrelation } from './read-correlation.ts'

test.for<[condition: string, found: ReturnType<typeof readCorrelation>]>([
  [
    'correlation: event_count 5>=5 by user=alice in 10m',
    { type: 'event_count', comparison: '5>=5', group: [{ field: 'user', value: 'alice' }], window: '10m', windowMs: 600_000 },
  ],
  [
    'correlation: value_sum 9>=5 and 9<=20 by host=a, b=c by d in 1h, approximate: window within 59 ms, degraded: some state was evicted',
    {
      type: 'value_sum', comparison: '9>=5 and 9<=20', group: [{ field: 'host', value: 'a' }, { field: 'b', value: 'c by d' }],
      window: '1h', windowMs: 3_600_000,
    },
  ],
  [
    'correlation: temporal failed and not login by user=in 3d in 30s',
    { type: 'temporal', comparison: 'failed and not login', group: [{ field: 'user', value: 'in 3d' }], window: '30s', windowMs: 30_000 },
  ],
  ['correlation: event_count 1>=1 in 1m', { type: 'event_count', comparison: '1>=1', group: [], window: '1m', windowMs: 60_000 }],
  ['something else', undefined],
])('%s', ([condition, found]) => {
  expect(readCorrelation(condition)).toEqual(found)
})
