import type { Migration } from '../migrate.ts'

/** Who said what an alert was, and what each match shows of its event: the events of most of them are not kept. */
export const reviews: Migration = {
  name: 'reviews',
  statements: [
    "alter table alerts add column reviewed_by text not null default ''",
    'alter table alerts add column reviewed_at bigint not null default 0',
    "alter table alert_matches add column rule_id text not null default ''",
    "alter table alert_matches add column host text not null default ''",
    "alter table alert_matches add column user_name text not null default ''",
    "alter table alert_matches add column process_name text not null default ''",
    "alter table alert_matches add column command_line text not null default ''",
    "alter table alert_matches add column stated_time text not null default ''",
    `update alert_matches set
      rule_id = (select rule_id from alerts where alerts.tenant_id = alert_matches.tenant_id and alerts.id = alert_matches.alert_id),
      host = (select host from alerts where alerts.tenant_id = alert_matches.tenant_id and alerts.id = alert_matches.alert_id),
      user_name = (select user_name from alerts where alerts.tenant_id = alert_matches.tenant_id and alerts.id = alert_matches.alert_id)`,
    'create index alert_matches_by_rule on alert_matches (tenant_id, rule_id, matched_at, match_id)',
  ],
}
