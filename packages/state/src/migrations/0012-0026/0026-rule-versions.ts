import type { Migration } from '../migrate.ts'

/** What each version of a rule's text was; the present ones are the first that are known. */
export const ruleVersions: Migration = {
  name: 'rule versions',
  statements: [
    `create table rule_versions (
      tenant_id text not null references tenants (id),
      rule_id text not null,
      version bigint not null,
      definition text not null,
      saved_at bigint not null,
      row_checksum bigint,
      primary key (tenant_id, rule_id, version)
    )`,
    `insert into rule_versions (tenant_id, rule_id, version, definition, saved_at)
      select tenant_id, id, version, definition, updated_at from rules where definition <> ''`,
  ],
}
