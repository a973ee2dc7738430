import type { Migration } from './migrate.ts'

/** Finds indicators that ended long ago. */
export const endedIndicators: Migration = {
  name: 'ended indicators',
  statements: ['create index indicators_by_end on indicators (tenant_id, valid_until, id)'],
}
