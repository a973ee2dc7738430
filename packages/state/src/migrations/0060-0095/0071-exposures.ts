import type { Migration } from '../migrate.ts'

/**
 * What rules have heard of assets: overdue vulnerabilities and exploits in the row of the finding, blind spots in a table of their
 * own. Partial indexes hold what is still to come, so that looking for it costs nothing where there is none.
 */
export const exposures: Migration = {
  name: 'exposures',
  statements: [
    'alter table asset_findings add column overdue_told_at bigint not null default 0',
    'alter table asset_findings add column exploit_news_at bigint not null default 0',
    `create index asset_findings_untold on asset_findings (tenant_id, due_at, id)
      where status = 'open' and overdue_told_at = 0 and due_at > 0`,
    "create index asset_findings_news on asset_findings (tenant_id, exploit_news_at, id) where status = 'open' and exploit_news_at > 0",
    `create table asset_blind_spots (
      tenant_id text not null,
      asset_id text not null,
      kind text not null,
      told_at bigint not null,
      row_checksum bigint,
      primary key (tenant_id, asset_id, kind)
    )`,
  ],
}
