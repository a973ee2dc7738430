import type { Subdomain, SubdomainFacts, SubdomainSighting } from '@tripline/model/enrichment/subdomain'
import type { TenantId } from '@tripline/model/tenant'
import type { ChangeResult, ChangeTerms } from '../change.ts'
import type { TenantList } from '../list-query.ts'
import type { UpsertInput, UpsertOutcome } from './enrichment-store.ts'

/** The stated fields of a host name; others stay unchanged. */
export type NewSubdomain = Pick<SubdomainFacts, 'name' | 'domain'> & Partial<SubdomainFacts>

/** Stores the host names under the own domains of tenants. */
export type SubdomainStore = TenantList<Subdomain> & {
  /** Creates or updates host names, all or none, by name. */
  readonly upsert: (tenant: TenantId, stated: readonly UpsertInput<NewSubdomain>[], at: number) => Promise<readonly UpsertOutcome[]>
  /**
   * Adds what events told. Beyond a bound those that events alone tell of are evicted: first those seen for a short time
   * only, oldest first, so that a flood of made-up names evicts itself.
   */
  readonly observe: (tenant: TenantId, sightings: readonly SubdomainSighting[], terms: ObservationTerms) => Promise<void>
  readonly get: (tenant: TenantId, id: string) => Promise<Subdomain | undefined>
  readonly update: (
    tenant: TenantId,
    id: string,
    change: Partial<Omit<SubdomainFacts, 'name' | 'domain'>>,
    terms: ChangeTerms,
  ) => Promise<ChangeResult<Subdomain>>
  /** Returns whether the host name existed. */
  readonly remove: (tenant: TenantId, id: string) => Promise<boolean>
}

export type ObservationTerms = {
  readonly at: number
  /** Those of a tenant that events alone tell of; the limit by default. */
  readonly observedMax?: number
}
