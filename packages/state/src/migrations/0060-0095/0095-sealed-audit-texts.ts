import type { Migration } from '../migrate.ts'

/** Texts of the audit trail that may name persons are encrypted, each with a key that an erasure destroys. */
export const sealedAuditTexts: Migration = {
  name: 'sealed audit texts',
  statements: [
    'alter table audit_entries add column version bigint not null default 1',
    'alter table audit_entries add column attestation text',
    `create table audit_keys (
      tenant_id text not null references tenants (id),
      id text not null,
      epoch bigint not null,
      label text not null,
      salt text not null,
      seal text not null,
      row_checksum bigint,
      primary key (tenant_id, id),
      unique (tenant_id, epoch, label)
    )`,
  ],
}
