import type { Migration } from './migrate.ts'

/** Finds the alerts of a user whatever the case of its name is, newest first. */
export const alertsByFoldedUser: Migration = {
  name: 'alerts by folded user',
  statements: ['create index alerts_by_folded_user on alerts (tenant_id, lower(user_name), created_at, id)'],
}
