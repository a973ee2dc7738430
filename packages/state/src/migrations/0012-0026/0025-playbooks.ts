import type { Migration } from '../migrate.ts'

/** Playbooks and their runs. A run that starts by itself has a key that is the same each time, so that it starts once. */
export const playbooks: Migration = {
  name: 'playbooks',
  statements: [
    `create table playbooks (
      tenant_id text not null references tenants (id),
      id text not null,
      name text not null,
      description text not null,
      subject text not null,
      is_automatic bigint not null,
      filter text not null,
      steps text not null,
      is_enabled bigint not null,
      runs_total bigint not null,
      last_run_at bigint not null,
      version bigint not null,
      created_at bigint not null,
      updated_at bigint not null,
      row_checksum bigint,
      primary key (tenant_id, id),
      unique (tenant_id, name)
    )`,
    `create table playbook_runs (
      tenant_id text not null references tenants (id),
      id text not null,
      once_key text not null,
      playbook_id text not null,
      playbook_name text not null,
      subject text not null,
      subject_id text not null,
      requested_by text not null,
      status text not null,
      steps text not null,
      records text not null,
      created_at bigint not null,
      finished_at bigint not null,
      row_checksum bigint,
      primary key (tenant_id, id),
      unique (tenant_id, once_key)
    )`,
    'create index playbook_runs_by_playbook on playbook_runs (tenant_id, playbook_id, created_at, id)',
    'create index playbook_runs_by_subject on playbook_runs (tenant_id, subject_id, subject, created_at)',
    'create index playbook_runs_by_status on playbook_runs (tenant_id, status, created_at, id)',
  ],
}
