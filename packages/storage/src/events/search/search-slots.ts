type Slots = { running: number; readonly waiting: (() => void)[] }

/** Limits how many searches of a tenant run at a time; further ones wait in the order in which they came. */
export class SearchSlots {
  readonly #atOnceMax: number
  readonly #tenants = new Map<string, Slots>()

  constructor(atOnceMax: number) {
    this.#atOnceMax = atOnceMax
  }

  async run<Result>(tenant: string, search: () => Promise<Result>): Promise<Result> {
    const slots = this.#tenants.get(tenant) ?? { running: 0, waiting: [] }
    this.#tenants.set(tenant, slots)
    if (slots.running < this.#atOnceMax) slots.running++
    // The search that ends hands over its slot.
    else await new Promise<void>((resolve) => slots.waiting.push(resolve))
    try {
      return await search()
    } finally {
      const next = slots.waiting.shift()
      if (next !== undefined) next()
      else if (--slots.running === 0) this.#tenants.delete(tenant)
    }
  }
}
