import { findingFields } from '@tripline/model/assets/asset-fields'
import type { AssetFinding } from '@tripline/model/assets/finding'
import { sql } from 'kysely'
import { parseFindingRow } from '../rows/finding-row.ts'
import type { FindingRow } from '../rows/finding-tables.ts'
import type { SqlList } from './list-page.ts'

const columns = {
  asset_id: 'assetId', vulnerability_id: 'vulnerabilityId', title: 'title', severity: 'severity', status: 'status', cve: 'cves',
  exploit_count: 'exploitCount', first_found: 'firstFoundAt', last_found: 'lastFoundAt', due_at: 'dueAt',
} as const satisfies { readonly [field in keyof typeof findingFields]: keyof FindingRow }

/** The vulnerabilities of the assets of a tenant. */
export const findingList: SqlList<FindingRow, AssetFinding> = {
  entries: 'findings', fields: findingFields, columns, texts: ['title', 'vulnerabilityId', 'cves'],
  from: sql`asset_findings`, select: sql`*`, tenant: 'tenantId', id: 'id', parse: parseFindingRow,
}
