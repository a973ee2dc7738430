import type { Migration } from './migrate.ts'

/** Finds the alerts of a stored event. Matches of earlier releases name no event, and are not in it. */
export const alertsOfEvents: Migration = {
  name: 'alerts of events',
  statements: ['create index alert_matches_by_event on alert_matches (tenant_id, event_offset, event_at) where event_offset is not null'],
}
