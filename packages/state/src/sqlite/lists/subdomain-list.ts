import { subdomainFields } from '@tripline/model/enrichment/enrichment-fields'
import { subdomainSources } from '@tripline/model/enrichment/subdomain'
import type { Subdomain } from '@tripline/model/enrichment/subdomain'
import { sql } from 'kysely'
import { parseStoredInstant } from '../rows/asset-row.ts'
import type { SubdomainRow } from '../rows/enrichment-tables.ts'
import { parseTextList } from '../rows/stored-list.ts'
import type { SqlList } from './list-page.ts'

const columns = {
  name: 'name', domain: 'domain', ip: 'ip', first_seen: 'firstSeenAt', last_seen: 'lastSeenAt',
} as const satisfies { readonly [field in keyof typeof subdomainFields]: keyof SubdomainRow }

export function parseSubdomainRow({ tenantId: _tenant, isImported: _isImported, sources, ...row }: SubdomainRow): Subdomain {
  const stored = parseTextList(sources)
  return {
    ...row, sources: subdomainSources.filter((source) => stored.includes(source)), firstSeenAt: parseStoredInstant(row.firstSeenAt),
    lastSeenAt: parseStoredInstant(row.lastSeenAt),
  }
}

/** The host names under the own domains of a tenant. */
export const subdomainList: SqlList<SubdomainRow, Subdomain> = {
  entries: 'subdomains', fields: subdomainFields, columns, texts: ['name', 'ip'],
  from: sql`subdomains`, select: sql`*`, tenant: 'tenantId', id: 'id', parse: parseSubdomainRow,
}
