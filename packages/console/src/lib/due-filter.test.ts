import { expect, test } from 'vitest'
import { buildDueFilter } from './due-filter.ts'

const targets = { critical: 60, high: null, medium: null, low: 1_440 }
const now = Date.UTC(2026, 10, 20, 10)

test('what is overdue is older than the target of its severity', () => {
  expect(buildDueFilter('overdue', targets, now)).toEqual({
    or: [
      { and: [{ field: 'severity', op: 'eq', value: 'critical' }, { field: 'created_at', op: 'lte', value: '2026-11-20T09:00:00.000Z' }] },
      { and: [{ field: 'severity', op: 'eq', value: 'low' }, { field: 'created_at', op: 'lte', value: '2026-11-19T10:00:00.000Z' }] },
    ],
  })
  expect(JSON.stringify(buildDueFilter('on_track', targets, now))).not.toContain('lte')
})

test.for([undefined, { critical: null, high: null, medium: null, low: null }])('without a target nothing is due', (none) => {
  expect(buildDueFilter('overdue', none, now)).toEqual({ field: 'created_at', op: 'lt', value: '1970-01-01T00:00:00Z' })
})
