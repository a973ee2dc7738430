import type { Migration } from '../migrate.ts'

/** The schedules of reports, and which reports they made. */
export const reportSchedules: Migration = {
  name: 'report schedules',
  statements: [
    `create table report_schedules (
      tenant_id text not null references tenants (id),
      id text not null,
      name text not null,
      kind text not null,
      framework text not null,
      format text not null,
      language text not null,
      range_days bigint not null,
      cron text not null,
      channel_ids text not null,
      recipients text not null,
      is_enabled bigint not null,
      next_run_at bigint,
      timezone text not null,
      last_run_at bigint,
      last_report_id text not null,
      created_by text not null,
      version bigint not null,
      created_at bigint not null,
      updated_at bigint not null,
      row_checksum bigint,
      primary key (tenant_id, id),
      unique (tenant_id, name)
    )`,
    "alter table reports add column schedule_id text not null default ''",
  ],
}
