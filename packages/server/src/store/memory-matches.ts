import type { RuleMatch } from '../domain/match.ts'
import type { TenantId } from '../domain/tenant.ts'
import { limits } from '../limits.ts'
import type { MatchQuery, MatchStore } from './store.ts'

/** How many matches are kept. */
export type MatchBounds = { readonly perRuleMax: number; readonly perTenantMax: number }

/** A match store in memory; it ends with the process and keeps the newest matches within its bounds. */
export function memoryMatches(bounds: MatchBounds = limits.matches): MatchStore {
  const tenants = new Map<TenantId, TenantMatches>()
  return {
    async insert(tenant, matches) {
      const kept = tenants.get(tenant) ?? new TenantMatches(bounds)
      tenants.set(tenant, kept)
      for (const match of matches) kept.add(match)
    },
    async list(tenant, query) {
      const kept = tenants.get(tenant)
      const found = (kept?.ofRule(query.ruleId) ?? []).filter((match) => isWithin(match, query)).sort(byTime)
      if (query.order === 'newest_first') found.reverse()
      const start = (query.page - 1) * query.size
      return {
        matches: found.slice(start, start + query.size),
        total: found.length,
        isIncomplete: kept?.hasDropped(query.ruleId) ?? false,
      }
    },
  }
}

/** The matches of one tenant, oldest first: all, and rule by rule. */
class TenantMatches {
  readonly #bounds: MatchBounds
  readonly #all = new Map<string, RuleMatch>()
  readonly #byRule = new Map<string, Map<string, RuleMatch>>()
  readonly #rulesDropped = new Set<string>()

  constructor(bounds: MatchBounds) {
    this.#bounds = bounds
  }

  add(match: RuleMatch): void {
    if (this.#all.has(match.id)) return
    const ofRule = this.#byRule.get(match.ruleId) ?? new Map<string, RuleMatch>()
    this.#byRule.set(match.ruleId, ofRule)
    ofRule.set(match.id, match)
    this.#all.set(match.id, match)
    if (ofRule.size > this.#bounds.perRuleMax) this.#dropFirst(ofRule)
    if (this.#all.size > this.#bounds.perTenantMax) this.#dropFirst(this.#all)
  }

  ofRule(ruleId: string): RuleMatch[] {
    return [...(this.#byRule.get(ruleId)?.values() ?? [])]
  }

  hasDropped(ruleId: string): boolean {
    return this.#rulesDropped.has(ruleId)
  }

  #dropFirst(matches: ReadonlyMap<string, RuleMatch>): void {
    const [oldest] = matches.values()
    if (oldest === undefined) return
    this.#all.delete(oldest.id)
    this.#byRule.get(oldest.ruleId)?.delete(oldest.id)
    this.#rulesDropped.add(oldest.ruleId)
  }
}

function isWithin(match: RuleMatch, { from, to }: MatchQuery): boolean {
  return (from === undefined || from <= match.matchedAt) && (to === undefined || match.matchedAt < to)
}

/** An id begins with its time, so equal times are ordered by the rest of the id. */
function byTime(a: RuleMatch, b: RuleMatch): number {
  return a.matchedAt - b.matchedAt || (a.id < b.id ? -1 : Number(a.id > b.id))
}
