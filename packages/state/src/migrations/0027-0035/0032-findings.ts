import type { Migration } from '../migrate.ts'

/**
 * Vulnerabilities, and where they were found. Findings name their asset without a foreign key, because they move to another
 * asset before that is written where two assets turn out to be one.
 */
export const findings: Migration = {
  name: 'findings',
  statements: [
    `create table asset_findings (
      tenant_id text not null,
      id text not null,
      asset_id text not null,
      source text not null,
      vulnerability_id text not null,
      title text not null,
      severity bigint not null,
      cves text not null,
      cvss_tenths bigint not null,
      exploit_count bigint not null,
      status text not null,
      first_found_at bigint not null,
      last_found_at bigint not null,
      confirmed_at bigint not null,
      closed_at bigint not null,
      due_at bigint not null,
      ports text not null,
      proof text not null,
      solution text not null,
      row_checksum bigint,
      primary key (tenant_id, id)
    )`,
    'create unique index asset_findings_by_asset on asset_findings (tenant_id, asset_id, source, vulnerability_id)',
    'create index asset_findings_by_vulnerability on asset_findings (tenant_id, vulnerability_id, status)',
    'create index asset_findings_by_confirmation on asset_findings (tenant_id, source, status, confirmed_at)',
    'create index asset_findings_by_due on asset_findings (tenant_id, status, due_at, id)',
    `create table vulnerabilities (
      tenant_id text not null,
      id text not null,
      title text not null,
      severity bigint not null,
      cves text not null,
      cvss_tenths bigint not null,
      exploit_count bigint not null,
      checked_at bigint not null,
      row_checksum bigint,
      primary key (tenant_id, id)
    )`,
    'create index vulnerabilities_by_check on vulnerabilities (tenant_id, exploit_count, checked_at, id)',
  ],
}
