import type { EventAccounting } from '@tripline/detection/pipeline/compute-accounting'
import type { ConsumerProgress } from '@tripline/detection/pipeline/pipeline'
import type { RuleCost } from '@tripline/engine'
import type { MetricSources } from '../src/metrics/metric-sources.ts'

/** The books of a tenant of which nothing came. */
export const emptyBooks: EventAccounting = {
  accepted: 0, evaluated: 0, quarantined: new Map(), deduplicated: 0, inFlight: 0, lost: 0, late: 0, stateEvicted: 0,
}

/** What others tell metrics, set by hand. */
export type MetricsFixture = {
  tenants: string[]
  books: Map<string, EventAccounting>
  consumers: ConsumerProgress[]
  evaluations: Map<string, number>
  costs: Map<string, RuleCost[]>
  connectors: Map<string, string[]>
  collectors: Map<string, string[]>
  falsePositives: number
}

export function createMetricsFixture(): MetricsFixture & { readonly sources: MetricSources } {
  const world: MetricsFixture = {
    tenants: [], books: new Map(), consumers: [], evaluations: new Map(), costs: new Map(), connectors: new Map(),
    collectors: new Map(),
    falsePositives: 0,
  }
  const sources: MetricSources = {
    tenants: () => Promise.resolve(world.tenants),
    accounting: (tenant) => world.books.get(tenant) ?? emptyBooks,
    evaluations: (tenant) => Promise.resolve(world.evaluations.get(tenant) ?? 0),
    consumers: () => world.consumers,
    countStored: () => Promise.resolve(88),
    countDegraded: () => 0,
    getDamagedRows: () => new Map(),
    countFailingWebhooks: () => 5,
    getDamage: () => ({ lostCount: 4, repairedCount: 3, ignoredFilterCount: 0 }),
    countNotSearchable: () => 2,
    checkpointAges: () => new Map([['detect', 1_500]]),
    pushConnections: () => 2,
    rules: (tenant) => Promise.resolve({ loaded: world.costs.get(tenant)?.length ?? 0, enabled: 1 }),
    ruleTitle: (_, ruleId) => Promise.resolve(ruleId === 'gone' ? undefined : `Title of ${ruleId}`),
    ruleCosts: (tenant) => world.costs.get(tenant) ?? [],
    falsePositives: () => Promise.resolve(world.falsePositives),
    getClockProblem: () => undefined,
    hasConnector: (tenant, id) => Promise.resolve(world.connectors.get(tenant)?.includes(id) ?? false),
    connectors: (tenant) => Promise.resolve({ active: world.connectors.get(tenant)?.length ?? 0, healthy: 1, pending: 2 }),
    listCollectors: (tenant) => Promise.resolve((world.collectors.get(tenant) ?? []).map((id) => ({ id, name: `Name of ${id}` }))),
    listConnectors: (tenant) =>
      Promise.resolve((world.connectors.get(tenant) ?? []).map((id) => ({ id, name: `Name of ${id}`, type: 'syslog' }))),
  }
  return Object.assign(world, { sources })
}

/** A cost of a rule; what a test is about is handed in. */
export function createRuleCost(cost: Partial<RuleCost>): RuleCost {
  const usual = { id: 'r', title: 'R', metEvents: 0, candidates: 0, asked: 0, confirmed: 0, sampledNs: 0 }
  return { ...usual, requirement: '', isAnchored: true, isSearchable: true, shortestText: 3, ...cost }
}
