import type { TenantId } from '../domain/tenant.ts'

export type LookupCacheBounds = { readonly answersMax: number; readonly tenantsMax: number }

/** A tenant's answers, those unused longest first, and how often they were forgotten. */
type TenantLookups<Answer> = { readonly generation: number; readonly answers: Map<string, Answer> }

/** Where an answer may be kept: the tenant's answers as they were when it was asked for. */
export type Generation = number

/**
 * Remembers the answers that were used last, for each tenant apart, and those that nothing was found too. An answer
 * that was asked for before its tenant's were forgotten is not kept: it may be from before the change.
 */
export class LookupCache<Answer> {
  readonly #bounds: LookupCacheBounds
  /** In the order of their use, the longest unused first. */
  readonly #tenants = new Map<TenantId, TenantLookups<Answer>>()
  /** Counts all that was forgotten, in all tenants, so that a generation never comes again. */
  #generation: Generation = 0

  constructor(bounds: LookupCacheBounds) {
    this.#bounds = bounds
  }

  /** How many answers of a tenant are remembered. */
  getSize(tenant: TenantId): number {
    return this.#tenants.get(tenant)?.answers.size ?? 0
  }

  /** To be asked before the store is, and handed in with the answer. */
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
    dropOldest(answers, this.#bounds.answersMax)
  }

  /** Forgets all answers of a tenant: after what they were made of has changed. */
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
