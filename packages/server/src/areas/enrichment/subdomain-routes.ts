import {
  subdomainChangeSchema, subdomainListQuerySchema, subdomainListSchema, subdomainSchema,
} from '@tripline/contract/console/enrichment/subdomain'
import type { SubdomainBody } from '@tripline/contract/console/enrichment/subdomain'
import { findOwnDomain } from '@tripline/model/enrichment/subdomain'
import type { Subdomain, SubdomainFacts } from '@tripline/model/enrichment/subdomain'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { NewSubdomain } from '@tripline/state/ports/enrichment/subdomain-store'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { readJson } from '../../http/json-body.ts'
import { lists } from '../../http/lists/list-definition.ts'
import { listRoute } from '../../http/lists/list-route.ts'
import { getPrincipal } from '../../http/route.ts'
import type { Route } from '../../http/route.ts'
import { openImportFile } from '../../ingestion/imports/open-import-file.ts'
import { parseSubdomainFacts, subdomainRows } from '../../ingestion/imports/subdomain-row.ts'
import { listRecords } from './enrichment-records.ts'
import type { EnrichmentKind } from './enrichment-records.ts'
import { enrichmentRoutes } from './enrichment-routes.ts'
import type { EnrichmentRouteDeps } from './enrichment-routes.ts'

const path = '/v1/subdomains'

/** Host names under the tenant's own domains; an imported one gets the domain that it is under. */
const subdomainKind: EnrichmentKind<Subdomain, NewSubdomain, Partial<Omit<SubdomainFacts, 'name' | 'domain'>>> = {
  name: 'subdomain',
  getStore: ({ subdomains, tenants }) => ({
    ...subdomains,
    async upsert(tenant, stated, at) {
      const known = await tenants.get(tenant)
      const ownDomains = known === undefined ? [] : resolveSettings(known).ownDomains
      const withDomains = stated.map(({ id, facts }) => ({ id, facts: { ...facts, domain: findOwnDomain(facts.name, ownDomains) ?? '' } }))
      return await subdomains.upsert(tenant, withDomains, at)
    },
  }),
}

/** Routes for the host names under a tenant's own domains. */
export function subdomainRoutes(deps: EnrichmentRouteDeps): Route[] {
  return enrichmentRoutes(deps, {
    kind: subdomainKind, path, names: { many: 'host names under your own domains', one: 'a host name' }, print: printSubdomain,
    schemas: { entry: subdomainSchema, change: subdomainChangeSchema, row: subdomainRows.schema },
    listRoute: listRoute(deps, {
      path, access: 'read', summary: 'Lists host names under your own domains', name: 'subdomains', isRecorded: true,
      list: lists.subdomains, query: subdomainListQuerySchema, response: subdomainListSchema,
      toWhere: ({ domain }) => (domain === undefined ? [] : [{ field: 'domain', operator: 'in', value: domain }]),
      readPage: async (c, request) => {
        const { entries, ...page } = await listRecords(deps, subdomainKind, getPrincipal(c).tenant, request)
        return { ...page, entries: entries.map(printSubdomain) }
      },
    }),
    readChange: async (c) => parseSubdomainFacts(await readJson(c, subdomainChangeSchema)),
    openFile: (bytes, format) => openImportFile(bytes, format, subdomainRows),
  })
}

function printSubdomain({ id, name, domain, ip, sources, firstSeenAt, lastSeenAt }: Subdomain): SubdomainBody {
  return {
    id, name, domain, ip, sources: [...sources], first_seen: formatTimestamp(firstSeenAt), last_seen: formatTimestamp(lastSeenAt),
  }
}
