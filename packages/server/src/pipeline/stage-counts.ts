import type { TenantId } from '../domain/tenant.ts'

/** What became of the messages that a stage took, of one tenant: accepted = evaluated + quarantined + deduplicated + inFlight. */
export type StageTotals = {
  readonly accepted: number
  readonly evaluated: number
  /** By reason. */
  readonly quarantined: ReadonlyMap<string, number>
  readonly deduplicated: number
  readonly inFlight: number
}

/** Counts the messages of a stage since it started, by tenant; the books balance at any moment (C5). */
export class StageCounts {
  readonly #tenants = new Map<TenantId, Counts>()

  get tenants(): readonly TenantId[] {
    return [...this.#tenants.keys()]
  }

  accept(tenant: TenantId): void {
    this.#of(tenant).accepted++
  }

  evaluate(tenant: TenantId): void {
    this.#of(tenant).evaluated++
  }

  deduplicate(tenant: TenantId): void {
    this.#of(tenant).deduplicated++
  }

  quarantine(tenant: TenantId, reason: string): void {
    const { quarantined } = this.#of(tenant)
    quarantined.set(reason, (quarantined.get(reason) ?? 0) + 1)
  }

  totalsOf(tenant: TenantId): StageTotals {
    const { accepted, evaluated, deduplicated, quarantined } = this.#of(tenant)
    const quarantinedCount = [...quarantined.values()].reduce((sum, count) => sum + count, 0)
    return {
      accepted, evaluated, deduplicated, quarantined: new Map(quarantined),
      inFlight: accepted - evaluated - deduplicated - quarantinedCount,
    }
  }

  #of(tenant: TenantId): Counts {
    const counts = this.#tenants.get(tenant) ?? { accepted: 0, evaluated: 0, deduplicated: 0, quarantined: new Map() }
    this.#tenants.set(tenant, counts)
    return counts
  }
}

type Counts = { accepted: number; evaluated: number; deduplicated: number; readonly quarantined: Map<string, number> }
