import type { Migration } from './migrate.ts'

const matches = 'from alert_matches where alert_matches.tenant_id = alerts.tenant_id and alert_matches.alert_id = alerts.id'
const members = `from incident_alerts
  join alerts on alerts.tenant_id = incident_alerts.tenant_id and alerts.id = incident_alerts.alert_id
  where incident_alerts.tenant_id = incidents.tenant_id and incident_alerts.incident_id = incidents.id and incident_alerts.is_member = 1`

/**
 * The times of the first and the last event of alerts and incidents: those of the matched events, or of arrival where a match names no
 * event, as in earlier releases.
 */
export const eventTimes: Migration = {
  name: 'event times',
  statements: [
    'alter table alerts add column first_event_at bigint not null default 0',
    'alter table alerts add column last_event_at bigint not null default 0',
    `update alerts set first_event_at = coalesce((select min(event_at) ${matches}), created_at),
      last_event_at = coalesce((select max(event_at) ${matches}), created_at)`,
    'alter table incidents add column first_event_at bigint not null default 0',
    'alter table incidents add column last_event_at bigint not null default 0',
    `update incidents set first_event_at = coalesce((select min(alerts.first_event_at) ${members}), first_alert_at),
      last_event_at = coalesce((select max(alerts.last_event_at) ${members}), last_alert_at)`,
  ],
}
