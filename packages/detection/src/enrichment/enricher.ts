import type { Asset } from '@tripline/model/enrichment/asset'
import type { DirectoryUser } from '@tripline/model/enrichment/directory-user'
import { listLookupNames } from '@tripline/model/enrichment/directory-user'
import { unknownEnrichment } from '@tripline/model/enrichment/enrichment'
import type { Enrichment } from '@tripline/model/enrichment/enrichment'
import type { Observables } from '@tripline/model/enrichment/observables'
import type { TenantId } from '@tripline/model/tenant'
import type { Stores } from '@tripline/state/ports/state-store'
import { limits } from '../limits.ts'
import { LookupCache } from './lookup-cache.ts'
import { lookUpIndicators, assessThreat } from './threat-intel.ts'
import type { CachedIndicator } from './threat-intel.ts'
import { HitBuffer } from './hit-buffer.ts'

/** The time of one enrichment, and its cache hits and misses among indicator lookups. */
export type EnrichmentTiming = { readonly durationMs: number; readonly hitCount: number; readonly missCount: number }

type EnricherOptions = {
  readonly stores: Pick<Stores, 'assets' | 'directoryUsers' | 'indicators'>
  /** Milliseconds of a monotonic clock. */
  readonly elapsedMs: () => number
  /** Called with each enriched match. */
  readonly onEnriched: (tenant: TenantId, measure: EnrichmentTiming) => void
  /** The size of the lookup cache; 0 for none, which only costs time. */
  readonly cacheEntriesMax?: number
}

/** Enriches alerts with the tenant's users, assets and indicators. */
export type Enricher = {
  /** Looks up the observables of an alert as of a moment; cached and stored lookups give the same. */
  readonly enrich: (tenant: TenantId, subject: Observables, at: number) => Promise<Enrichment>
  /** Drops the cached lookups of a tenant: call it after a change of its assets, directory users or indicators. */
  readonly invalidate: (tenant: TenantId) => void
  /** Writes the buffered indicator hits: call it periodically and before closing. */
  readonly flush: () => Promise<void>
}

type LookupResult = {
  readonly person?: DirectoryUser | undefined
  readonly asset?: Asset | undefined
  readonly intel?: readonly CachedIndicator[]
}

/** Creates an enricher over the tenants' stores. */
export function createEnricher({ stores, elapsedMs, onEnriched, cacheEntriesMax }: EnricherOptions): Enricher {
  const { cachedAnswersMax, cachedTenantsMax } = limits.enrichment
  const cache = new LookupCache<LookupResult>({ entriesMax: cacheEntriesMax ?? cachedAnswersMax, tenantsMax: cachedTenantsMax })
  const hits = new HitBuffer(stores.indicators)

  /** The cached result of a lookup, or else the stored one. */
  const remembered = async (tenant: TenantId, question: string, ask: () => Promise<LookupResult>): Promise<LookupResult> => {
    const known = cache.get(tenant, question)
    if (known !== undefined) return known
    const generation = cache.getGeneration(tenant)
    const answer = await ask()
    cache.set(tenant, question, answer, generation)
    return answer
  }

  const personOf = async (tenant: TenantId, { user }: Observables): Promise<DirectoryUser | undefined> => {
    for (const name of listLookupNames(user)) {
      const find = async () => ({ person: await stores.directoryUsers.findByName(tenant, name) })
      const { person } = await remembered(tenant, `person ${name}`, find)
      if (person !== undefined) return person
    }
    return undefined
  }

  const assetOf = async (tenant: TenantId, { host, hostAddresses }: Observables): Promise<Asset | undefined> => {
    for (const name of getHostnameCandidates(host)) {
      const { asset } = await remembered(tenant, `host ${name}`, async () => ({ asset: await stores.assets.findByHostname(tenant, name) }))
      if (asset !== undefined) return asset
    }
    for (const address of hostAddresses) {
      const find = async () => ({ asset: await stores.assets.findByAddress(tenant, address) })
      const { asset } = await remembered(tenant, `address ${address}`, find)
      if (asset !== undefined) return asset
    }
    return undefined
  }

  return {
    async enrich(tenant, subject, at) {
      const startedMs = elapsedMs()
      const person = await personOf(tenant, subject)
      const asset = await assetOf(tenant, subject)
      const { intel, hitCount, missCount } = await lookUpIndicators(tenant, subject, { cache, indicators: stores.indicators })
      const threat = assessThreat(intel, at)
      for (const id of threat.indicatorIds) hits.add(tenant, id, at)
      if (hits.isFull) await hits.flush()
      onEnriched(tenant, { durationMs: elapsedMs() - startedMs, hitCount, missCount })
      return {
        user_context: person === undefined
          ? unknownEnrichment.user_context
          : { department: person.department, is_privileged: person.isPrivileged },
        asset_context: asset === undefined
          ? unknownEnrichment.asset_context
          : { criticality: asset.criticality, os: asset.os, ip: selectAddress(asset, subject) },
        threat_intel: { known_malicious: threat.isMalicious, reputation_score: threat.score },
      }
    },
    invalidate: (tenant) => cache.invalidate(tenant),
    flush: () => hits.flush(),
  }
}

/** The full host name, then its first label: many inventories hold only that. */
function getHostnameCandidates(host: string): string[] {
  const [first = ''] = host.split('.')
  return [...new Set([host, first])].filter((name) => name !== '')
}

/** The address that the event names too, else the asset's first. */
function selectAddress({ ipAddresses }: Asset, { addresses }: Observables): string {
  return addresses.find((address) => ipAddresses.includes(address)) ?? ipAddresses[0] ?? ''
}
