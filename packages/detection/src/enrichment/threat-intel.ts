import { parseAddress } from '@tripline/common/address'
import { listWithParents } from '@tripline/common/domain-name'
import { listEnclosingNetworks } from '@tripline/common/network'
import { isValidAt, maliciousScoreMin } from '@tripline/model/enrichment/indicator'
import type { Indicator } from '@tripline/model/enrichment/indicator'
import type { Observables } from '@tripline/model/enrichment/observables'
import type { TenantId } from '@tripline/model/tenant'
import type { IndicatorStore, IndicatorKey } from '@tripline/state/ports/enrichment/indicator-store'
import type { LookupCache } from './lookup-cache.ts'

/** The cached part of an indicator. Its validity depends on the moment and is checked each time. */
export type CachedIndicator = Pick<Indicator, 'id' | 'reputationScore' | 'validFrom' | 'validUntil'>

type IntelSources = {
  readonly cache: LookupCache<{ readonly intel?: readonly CachedIndicator[] }>
  readonly indicators: Pick<IndicatorStore, 'find'>
}

type IntelLookup = { readonly intel: readonly CachedIndicator[]; readonly hitCount: number; readonly missCount: number }

/**
 * Finds the indicators that match an observable: the value itself, a network that contains an address, a parent domain.
 * One store query looks up everything that is not cached.
 */
export async function lookUpIndicators(tenant: TenantId, subject: Observables, { cache, indicators }: IntelSources): Promise<IntelLookup> {
  const found: CachedIndicator[] = []
  const missing: ObservableLookup[] = []
  const questions = getLookups(subject)
  for (const question of questions) {
    const known = cache.get(tenant, question.key)?.intel
    if (known === undefined) missing.push(question)
    else found.push(...known)
  }
  const counts = { hitCount: questions.length - missing.length, missCount: missing.length }
  if (missing.length === 0) return { intel: dedupeIndicators(found), ...counts }
  const generation = cache.getGeneration(tenant)
  const soughtBy = new Map(missing.map(({ key, value, around }) => [key, [value, ...around()]]))
  const answers = new Map<string, CachedIndicator[]>()
  const listed = await indicators.find(tenant, dedupeKeys([...soughtBy.values()].flat()))
  for (const { type, value, id, reputationScore, validFrom, validUntil } of listed) {
    const key = keyOf({ type, value })
    answers.set(key, [...(answers.get(key) ?? []), { id, reputationScore, validFrom, validUntil }])
  }
  for (const [key, sought] of soughtBy) {
    const intel = sought.flatMap((one) => answers.get(keyOf(one)) ?? [])
    cache.set(tenant, key, { intel }, generation)
    found.push(...intel)
  }
  return { intel: dedupeIndicators(found), ...counts }
}

/** Combines the indicators that are valid at a moment: the worst score decides. */
export function assessThreat(intel: readonly CachedIndicator[],
  at: number): { isMalicious: boolean; score: number; indicatorIds: string[] } {
  const counting = intel.filter((one) => isValidAt(one, at))
  const score = counting.reduce((worst, { reputationScore }) => Math.max(worst, reputationScore), 0)
  return { isMalicious: score >= maliciousScoreMin, score, indicatorIds: counting.map(({ id }) => id) }
}

/** An observable with its cache key; `around` gives the broader values, computed only on a cache miss. */
type ObservableLookup = { readonly key: string; readonly value: IndicatorKey; readonly around: () => readonly IndicatorKey[] }

function getLookups({ addresses, hashes, domains, urls, emails }: Observables): ObservableLookup[] {
  return [
    ...addresses.map((value) => createLookup({ type: 'ip', value }, () => getNetworks(value))),
    ...hashes.map((value) => createLookup({ type: 'hash', value })),
    ...domains.map((value) => createLookup({ type: 'domain', value }, () => getParentDomains(value))),
    ...urls.map((value) => createLookup({ type: 'url', value })),
    ...emails.map((value) => createLookup({ type: 'email', value })),
  ]
}

function createLookup(value: IndicatorKey, around: ObservableLookup['around'] = () => []): ObservableLookup {
  return { key: keyOf(value), value, around }
}

function getParentDomains(name: string): IndicatorKey[] {
  return listWithParents(name).slice(1).map((value) => ({ type: 'domain', value }))
}

function getNetworks(address: string): IndicatorKey[] {
  const parsed = parseAddress(address)
  return parsed === undefined ? [] : listEnclosingNetworks(parsed).map((value) => ({ type: 'cidr', value }))
}

function dedupeKeys(sought: readonly IndicatorKey[]): IndicatorKey[] {
  return [...new Map(sought.map((one) => [keyOf(one), one])).values()]
}

function keyOf({ type, value }: IndicatorKey): string {
  return `${type} ${value}`
}

function dedupeIndicators(intel: readonly CachedIndicator[]): CachedIndicator[] {
  return [...new Map(intel.map((one) => [one.id, one])).values()]
}
