import { findingFields } from '@tripline/model/assets/asset-fields'
import { sql } from 'kysely'
import type { NamedFinding } from '../../ports/assets/finding-store.ts'
import { parseFindingRow } from '../rows/finding-row.ts'
import type { FindingRow } from '../rows/finding-tables.ts'
import type { SqlList } from './list-page.ts'

const columns = {
  asset_id: 'assetId', vulnerability_id: 'vulnerabilityId', title: 'title', severity: 'severity', status: 'status', cve: 'cves',
  exploit_count: 'exploitCount', first_found: 'firstFoundAt', last_found: 'lastFoundAt', due_at: 'dueAt',
} as const satisfies { readonly [field in keyof typeof findingFields]: keyof FindingRow }

const assetName = sql`coalesce((
  select coalesce(nullif(named.hostname, ''), json_extract(named.ip_addresses, '$[0]')) from assets as named
  where named.tenant_id = asset_findings.tenant_id and named.id = asset_findings.asset_id), '')`

type NamedFindingRow = FindingRow & { readonly assetName: string }

/** The vulnerabilities of the assets of a tenant. */
export const findingList: SqlList<NamedFindingRow, NamedFinding> = {
  entries: 'findings', fields: findingFields, columns, texts: ['title', 'vulnerabilityId', 'cves'],
  from: sql`asset_findings`, select: sql`*, ${assetName} as asset_name`, tenant: 'tenantId', id: 'id',
  parse: ({ assetName: name, ...row }) => ({ ...parseFindingRow(row), assetName: name }),
}
