import type { TenantId } from '@tripline/model/tenant'

type LookupCacheBounds = { readonly entriesMax: number; readonly tenantsMax: number }

/** A tenant's cached lookups, least recently used first, and their generation. */
type TenantLookups<Answer> = { readonly generation: number; readonly answers: Map<string, Answer> }

/** The generation of a tenant's cache at the time of a lookup. */
type Generation = number

/**
 * An LRU cache of lookups for each tenant, negative results included. A lookup that started before an invalidation is
 * not cached: it may predate the change.
 */
export class LookupCache<Answer> {
  readonly #bounds: LookupCacheBounds
  /** In order of use, least recent first. */
  readonly #tenants = new Map<TenantId, TenantLookups<Answer>>()
  /** Counts invalidations across all tenants, so no generation repeats. */
  #generation: Generation = 0

  constructor(bounds: LookupCacheBounds) {
    this.#bounds = bounds
  }

  /** The number of a tenant's cached lookups. */
  getSize(tenant: TenantId): number {
    return this.#tenants.get(tenant)?.answers.size ?? 0
  }

  /** Call it before reading the store, and pass it to `set`. */
  getGeneration(tenant: TenantId): Generation {
    return this.#getLookups(tenant).generation
  }

  get(tenant: TenantId, question: string): Answer | undefined {
    const { answers } = this.#getLookups(tenant)
    const answer = answers.get(question)
    if (answer === undefined) return undefined
    answers.delete(question)
    answers.set(question, answer)
    return answer
  }

  set(tenant: TenantId, question: string, answer: Answer, askedIn: Generation): void {
    const { generation, answers } = this.#getLookups(tenant)
    if (generation !== askedIn) return
    answers.delete(question)
    answers.set(question, answer)
    dropOldest(answers, this.#bounds.entriesMax)
  }

  /** Drops all cached lookups of a tenant: call it after a change of the stored data. */
  invalidate(tenant: TenantId): void {
    this.#tenants.delete(tenant)
    this.#generation++
  }

  #getLookups(tenant: TenantId): TenantLookups<Answer> {
    const known = this.#tenants.get(tenant) ?? { generation: this.#generation++, answers: new Map<string, Answer>() }
    this.#tenants.delete(tenant)
    this.#tenants.set(tenant, known)
    dropOldest(this.#tenants, this.#bounds.tenantsMax)
    return known
  }
}

function dropOldest<Key>(entries: Map<Key, unknown>, sizeMax: number): void {
  if (entries.size <= sizeMax) return
  for (const [oldest] of entries) {
    entries.delete(oldest)
    return
  }
}
