import type { Migration } from '../migrate.ts'

/** Collections of evidence and their results, attestations, and notes about controls. One job of a tenant is unfinished. */
export const compliance: Migration = {
  name: 'compliance',
  statements: [
    `create table evidence_jobs (
      tenant_id text not null references tenants (id),
      id text not null,
      status text not null,
      is_unfinished bigint not null,
      frameworks text not null,
      controls text not null,
      from_at bigint not null,
      to_at bigint not null,
      requested_by text not null,
      requested_at bigint not null,
      finished_at bigint not null,
      progress bigint not null,
      result text not null,
      error text not null,
      row_checksum bigint,
      primary key (tenant_id, id)
    )`,
    'create unique index evidence_jobs_unfinished on evidence_jobs (tenant_id, is_unfinished) where is_unfinished = 1',
    'create index evidence_jobs_by_time on evidence_jobs (tenant_id, requested_at, id)',
    `create table compliance_assessments (
      tenant_id text not null references tenants (id),
      framework text not null,
      job_id text not null,
      at bigint not null,
      sha256 text not null,
      controls text not null,
      row_checksum bigint,
      primary key (tenant_id, framework, job_id)
    )`,
    'create index compliance_assessments_by_time on compliance_assessments (tenant_id, framework, at, job_id)',
    `create table attestations (
      tenant_id text not null references tenants (id),
      framework text not null,
      control text not null,
      status text not null,
      attested_by text not null,
      at bigint not null,
      expires_at bigint not null,
      note text not null,
      proof text not null,
      row_checksum bigint,
      primary key (tenant_id, framework, control)
    )`,
    `create table control_notes (
      tenant_id text not null references tenants (id),
      framework text not null,
      control text not null,
      owner text not null,
      note text not null,
      version bigint not null,
      updated_at bigint not null,
      row_checksum bigint,
      primary key (tenant_id, framework, control)
    )`,
  ],
}
