import type { Runtime } from '@tripline/common/runtime'
import type { TenantId } from '@tripline/model/tenant'
import { limits } from './limits.ts'
import type { MetricSources } from './metric-sources.ts'
import { SlidingWindow } from './sliding-window.ts'

/** The cost of a rule over the last five minutes. */
type RuleCostView = {
  /** Nanoseconds per event: the median and the 99th percentile of half-minute slots in which the rule met events. */
  readonly nsPerEventP50: number
  readonly nsPerEventP99: number
  /** Percent of one core. */
  readonly cpuSharePercent: number
}

const shape = { slotMs: 30_000, slotCount: 10 }

/**
 * Samples rule costs, one tenant after the other. A sample takes time for each rule; the pause behind it is
 * `limits.metrics.costPauseFactor` times as long, so sampling takes at most that part of a core, however many rules and
 * tenants there are.
 */
export class RuleCostSampler {
  readonly #source: MetricSources['ruleCosts']
  readonly #elapsedMs: Runtime['elapsedMs']
  readonly #tenants = new Map<TenantId, CostSamples>()
  #nextMs = -Infinity

  constructor(source: MetricSources['ruleCosts'], elapsedMs: Runtime['elapsedMs']) {
    this.#source = source
    this.#elapsedMs = elapsedMs
  }

  /** Samples the tenant that waits longest, if it is due. */
  sampleNext(tenants: readonly TenantId[]): void {
    const startedMs = this.#elapsedMs()
    if (startedMs < this.#nextMs) return
    const lookedMs = (tenant: TenantId) => this.#tenants.get(tenant)?.lookedMs ?? -Infinity
    const [first, ...others] = tenants
    if (first === undefined) return
    const tenant = others.reduce((waiting, other) => (lookedMs(other) < lookedMs(waiting) ? other : waiting), first)
    const { costSampleMs, costPauseFactor } = limits.metrics
    if (startedMs - lookedMs(tenant) < costSampleMs) return
    this.#sample(tenant, startedMs)
    const endedMs = this.#elapsedMs()
    this.#nextMs = endedMs + (endedMs - startedMs) * costPauseFactor
  }

  #sample(tenant: TenantId, elapsedMs: number): void {
    const before = this.#tenants.get(tenant)
    const looks = before ?? { firstMs: elapsedMs, lookedMs: elapsedMs, spent: new Map(), windows: new Map() }
    const costs = this.#source(tenant)
    const spent = new Map(costs.map((cost) => [cost.id, { events: cost.metEvents, ns: cost.sampledNs ?? 0 }]))
    if (before !== undefined) for (const [id, now] of spent) recordCost(looks, id, now, elapsedMs)
    for (const id of looks.windows.keys()) if (!spent.has(id)) looks.windows.delete(id)
    looks.spent = spent
    looks.lookedMs = elapsedMs
    this.#tenants.set(tenant, looks)
  }

  /** Undefined for a rule that met no event in the last five minutes. */
  getCost(tenant: TenantId, ruleId: string): RuleCostView | undefined {
    const looks = this.#tenants.get(tenant)
    const elapsedMs = this.#elapsedMs()
    const inView = looks?.windows.get(ruleId)?.inView(elapsedMs) ?? []
    if (looks === undefined || inView.length === 0) return undefined
    const perEvent = inView.map(({ events, ns }) => ns / events).sort((one, other) => one - other)
    const at = (share: number) => Math.round(perEvent[Math.ceil(share * perEvent.length) - 1] ?? 0)
    const seenMs = Math.max(1, Math.min(elapsedMs - looks.firstMs, shape.slotMs * shape.slotCount))
    const ns = inView.reduce((sum, slot) => sum + slot.ns, 0)
    return { nsPerEventP50: at(0.5), nsPerEventP99: at(0.99), cpuSharePercent: (100 * ns) / (seenMs * 1e6) }
  }
}

type CostTotals = { readonly events: number; readonly ns: number }

type CostSamples = {
  readonly firstMs: number
  lookedMs: number
  /** The cumulative costs at the last sample. */
  spent: ReadonlyMap<string, CostTotals>
  /** Only of rules that met events. */
  readonly windows: Map<string, SlidingWindow<{ events: number; ns: number }>>
}

/** Records the cost of a rule since the last sample. */
function recordCost({ spent, windows }: CostSamples, id: string, now: CostTotals, elapsedMs: number): void {
  const before = spent.get(id)
  // A rule that left the rule set and came back counts from 0 again.
  const base = before === undefined || before.events > now.events ? { events: 0, ns: 0 } : before
  const events = now.events - base.events
  if (events === 0) return
  const window = windows.get(id) ?? new SlidingWindow(shape, () => ({ events: 0, ns: 0 }))
  windows.set(id, window)
  const slot = window.current(elapsedMs)
  slot.events += events
  slot.ns += Math.max(0, now.ns - base.ns)
}
