import type { Bus } from '../bus/bus.ts'
import type { TenantId } from '../domain/tenant.ts'
import { readConsumerProgress } from './metered-bus.ts'
import type { EventAccounting, MetricSources } from './metric-sources.ts'

/** The metric sources that the pipeline provides. */
export type PipelineSources = Pick<MetricSources, 'accounting' | 'checkpointAges' | 'consumers' | 'evaluations' | 'ruleCosts'>

/** What the pipeline reports of itself. */
export type MeasuredPipeline = {
  readonly getCheckpointAges: () => ReadonlyMap<string, number>
  readonly accounting: (tenant: TenantId) => EventAccounting
  readonly ruleTotals: (tenant: TenantId) => Promise<{ readonly getTotals: (ruleId: string) => { readonly evaluations: number } }>
}

export type PipelineSourcesOptions = {
  readonly pipeline: MeasuredPipeline
  readonly bus: Pick<Bus, 'stats'>
  readonly topics: readonly string[]
  /** The ids of all rules of a tenant, enabled or not. */
  readonly ruleIds: (tenant: TenantId) => Promise<readonly string[]>
  readonly ruleCosts: MetricSources['ruleCosts']
}

/** Creates the metric sources of a pipeline whose stages run on a bus. */
export function createPipelineSources({ pipeline, bus, topics, ruleIds, ruleCosts }: PipelineSourcesOptions): PipelineSources {
  return {
    accounting: (tenant) => pipeline.accounting(tenant),
    consumers: () => readConsumerProgress(bus, topics),
    checkpointAges: () => pipeline.getCheckpointAges(),
    ruleCosts,
    async evaluations(tenant) {
      const { getTotals } = await pipeline.ruleTotals(tenant)
      return (await ruleIds(tenant)).reduce((sum, id) => sum + getTotals(id).evaluations, 0)
    },
  }
}
