import type { Migration } from '../migrate.ts'

/** Host names under the tenants' own domains, and the registers of requests that persons made about their data. */
export const subdomainsAndRequests: Migration = {
  name: 'subdomains-and-requests',
  statements: [
    `create table subdomains (
      tenant_id text not null,
      id text not null,
      name text not null,
      domain text not null,
      ip text not null,
      sources text not null,
      is_imported bigint not null,
      first_seen_at bigint not null,
      last_seen_at bigint not null,
      version bigint not null,
      created_at bigint not null,
      updated_at bigint not null,
      row_checksum bigint,
      primary key (tenant_id, id)
    )`,
    'create unique index subdomains_by_name on subdomains (tenant_id, name)',
    'create index subdomains_by_last_seen on subdomains (tenant_id, last_seen_at, id)',
    `create table data_subject_requests (
      tenant_id text not null,
      id text not null,
      type text not null,
      law text not null,
      subject_ref text not null,
      status text not null,
      note text not null,
      received_at bigint not null,
      due_at bigint not null,
      closed_at bigint not null,
      version bigint not null,
      created_at bigint not null,
      updated_at bigint not null,
      row_checksum bigint,
      primary key (tenant_id, id)
    )`,
    'create index data_subject_requests_by_due on data_subject_requests (tenant_id, due_at, id)',
  ],
}
