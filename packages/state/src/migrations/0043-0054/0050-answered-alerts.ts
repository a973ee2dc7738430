import type { Migration } from '../migrate.ts'

/** When alerts were answered, and which pages a user works with. */
export const answeredAlerts: Migration = {
  name: 'answered alerts',
  statements: [
    'alter table alerts add column acknowledged_at bigint not null default 0',
    'alter table alerts add column closed_at bigint not null default 0',
    'create index alerts_by_acknowledged_at on alerts (tenant_id, acknowledged_at, created_at) where acknowledged_at > 0',
    'create index alerts_by_closed_at on alerts (tenant_id, closed_at, created_at) where closed_at > 0',
    "alter table users add column interface text not null default 'console'",
  ],
}
