import type { TenantId } from '../../tenant-id.ts'

/** A number of messages, and their cost in bytes. */
export type MessageTotal = { readonly count: number; readonly bytes: number }

export const zeroTotal: MessageTotal = { count: 0, bytes: 0 }

/** Message counters of a topic, by tenant and in total. */
export class TenantCounters {
  readonly #tenants: Map<TenantId, MessageTotal>
  #all: MessageTotal

  constructor(tenants: Iterable<readonly [TenantId, MessageTotal]> = []) {
    this.#tenants = new Map(tenants)
    this.#all = [...this.#tenants.values()].reduce(addTotals, zeroTotal)
  }

  get all(): MessageTotal {
    return this.#all
  }

  get tenants(): ReadonlyMap<TenantId, MessageTotal> {
    return this.#tenants
  }

  get(tenant: TenantId): MessageTotal {
    return this.#tenants.get(tenant) ?? zeroTotal
  }

  add(tenant: TenantId, total: MessageTotal): void {
    this.#tenants.set(tenant, addTotals(this.get(tenant), total))
    this.#all = addTotals(this.#all, total)
  }

  remove(tenant: TenantId, { count, bytes }: MessageTotal): void {
    this.add(tenant, { count: -count, bytes: -bytes })
    if (this.get(tenant).count === 0) this.#tenants.delete(tenant)
  }

  copy(): TenantCounters {
    return new TenantCounters(this.#tenants)
  }
}

function addTotals(a: MessageTotal, b: MessageTotal): MessageTotal {
  return { count: a.count + b.count, bytes: a.bytes + b.bytes }
}
