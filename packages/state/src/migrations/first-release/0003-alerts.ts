import type { Migration } from '../migrate.ts'

/** Texts that lists are sorted or filtered by are empty where they are absent: see `dialect.ts`. */
export const alerts: Migration = {
  name: 'alerts',
  statements: [
    `create table alerts (
      tenant_id text not null references tenants (id),
      id text not null,
      rule_id text not null,
      rule_title text not null,
      level bigint not null,
      status text not null,
      verdict text not null,
      assignee text not null,
      source text not null,
      source_ip text not null,
      host text not null,
      user_name text not null,
      process_name text not null,
      command_line text not null,
      stated_time text not null,
      tactics text not null,
      techniques text not null,
      enrichment text not null,
      asset_criticality text not null,
      incident_id text not null,
      dedup_key text not null,
      event_count bigint not null,
      last_seen_at bigint not null,
      reopened_count bigint not null,
      version bigint not null,
      created_at bigint not null,
      updated_at bigint not null,
      primary key (tenant_id, id)
    )`,
    'create index alerts_by_created on alerts (tenant_id, created_at, id)',
    'create index alerts_by_status on alerts (tenant_id, status, level, created_at, id)',
    'create index alerts_by_level on alerts (tenant_id, level, created_at, id)',
    'create index alerts_by_rule on alerts (tenant_id, rule_id, created_at, id)',
    'create index alerts_by_updated on alerts (tenant_id, updated_at, id)',
    'create index alerts_by_dedup on alerts (tenant_id, dedup_key, created_at)',
    `create table alert_matches (
      tenant_id text not null,
      match_id text not null,
      alert_id text not null,
      number bigint not null,
      matched_at bigint not null,
      event text,
      primary key (tenant_id, match_id),
      unique (tenant_id, alert_id, number),
      foreign key (tenant_id, alert_id) references alerts (tenant_id, id)
    )`,
    `create table alert_comments (
      tenant_id text not null,
      alert_id text not null,
      id text not null,
      author text not null,
      text text not null,
      created_at bigint not null,
      primary key (tenant_id, alert_id, id),
      foreign key (tenant_id, alert_id) references alerts (tenant_id, id)
    )`,
    `create table alert_counts (
      tenant_id text not null references tenants (id),
      status text not null,
      level bigint not null,
      count bigint not null,
      primary key (tenant_id, status, level)
    )`,
    `create table verdict_counts (
      tenant_id text not null references tenants (id),
      rule_id text not null,
      verdict text not null,
      count bigint not null,
      primary key (tenant_id, rule_id, verdict)
    )`,
  ],
}
