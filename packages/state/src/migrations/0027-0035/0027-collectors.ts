import type { Migration } from '../migrate.ts'

/** Collectors under the hashes of their credentials, and the tokens with which further ones enrol. */
export const collectors: Migration = {
  name: 'collectors',
  statements: [
    `create table collectors (
      tenant_id text not null references tenants (id),
      id text not null,
      name text not null,
      hostname text not null,
      program_release text not null,
      os text not null,
      os_family text not null,
      credential_hash text unique,
      status text not null,
      last_seen_at bigint,
      report text,
      received_count bigint not null,
      failed_count bigint not null,
      byte_count bigint not null,
      last_event_at bigint,
      version bigint not null,
      created_at bigint not null,
      updated_at bigint not null,
      row_checksum bigint,
      primary key (tenant_id, id)
    )`,
    `create table enrolment_tokens (
      tenant_id text not null references tenants (id),
      hash text not null,
      name text not null,
      created_at bigint not null,
      expires_at bigint not null,
      row_checksum bigint,
      primary key (tenant_id, hash)
    )`,
    'create unique index enrolment_tokens_by_hash on enrolment_tokens (hash)',
  ],
}
