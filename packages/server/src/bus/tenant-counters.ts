import type { TenantId } from '../domain/tenant.ts'

/** How many messages, and what they count as. */
export type Total = { readonly count: number; readonly bytes: number }

export const noTotal: Total = { count: 0, bytes: 0 }

/** Totals of a topic, by tenant and in all. */
export class Totals {
  readonly #tenants: Map<TenantId, Total>
  #all: Total

  constructor(tenants: Iterable<readonly [TenantId, Total]> = []) {
    this.#tenants = new Map(tenants)
    this.#all = [...this.#tenants.values()].reduce(plus, noTotal)
  }

  get all(): Total {
    return this.#all
  }

  get tenants(): ReadonlyMap<TenantId, Total> {
    return this.#tenants
  }

  of(tenant: TenantId): Total {
    return this.#tenants.get(tenant) ?? noTotal
  }

  add(tenant: TenantId, total: Total): void {
    this.#tenants.set(tenant, plus(this.of(tenant), total))
    this.#all = plus(this.#all, total)
  }

  remove(tenant: TenantId, { count, bytes }: Total): void {
    this.add(tenant, { count: -count, bytes: -bytes })
    if (this.of(tenant).count === 0) this.#tenants.delete(tenant)
  }

  copy(): Totals {
    return new Totals(this.#tenants)
  }
}

function plus(a: Total, b: Total): Total {
  return { count: a.count + b.count, bytes: a.bytes + b.bytes }
}
