import type { Migration } from './migrate.ts'

/**
 * The stored events that the correlation of an alert counted, beside the newest of each match. Alerts of earlier releases have none.
 */
export const alertMembers: Migration = {
  name: 'alert members',
  statements: [
    `create table alert_members (
      tenant_id text not null,
      event_offset bigint not null,
      event_at bigint not null,
      alert_id text not null,
      row_checksum bigint,
      primary key (tenant_id, event_offset, event_at, alert_id),
      foreign key (tenant_id, alert_id) references alerts (tenant_id, id)
    )`,
    'create index alert_members_by_alert on alert_members (tenant_id, alert_id)',
  ],
}
