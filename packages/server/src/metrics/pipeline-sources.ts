import type { EventAccounting } from '@tripline/detection/pipeline/compute-accounting'
import type { ConsumerProgress } from '@tripline/detection/pipeline/pipeline'
import type { TenantId } from '@tripline/model/tenant'
import type { MetricSources } from './metric-sources.ts'

/** The metric sources that the pipeline provides. */
export type PipelineSources = Pick<
  MetricSources, 'accounting' | 'checkpointAges' | 'consumers' | 'countDegraded' | 'countNotSearchable' | 'evaluations' | 'ruleCosts'
>

/** What the pipeline reports of itself. */
type MeasuredPipeline = {
  readonly getCheckpointAges: () => ReadonlyMap<string, number>
  readonly getProgress: () => readonly ConsumerProgress[]
  readonly countNotSearchable: MetricSources['countNotSearchable']
  readonly getDegradedRules: (tenant: TenantId) => ReadonlySet<string>
  readonly accounting: (tenant: TenantId) => EventAccounting
  readonly ruleTotals: (tenant: TenantId) => Promise<{ readonly getTotals: (ruleId: string) => { readonly evaluations: number } }>
}

type PipelineSourcesOptions = {
  readonly pipeline: MeasuredPipeline
  /** The consumers of domain events. */
  readonly outbox: { readonly progress: readonly ConsumerProgress[] }
  /** The ids of all rules of a tenant, enabled or not. */
  readonly ruleIds: (tenant: TenantId) => Promise<readonly string[]>
  readonly ruleCosts: MetricSources['ruleCosts']
}

/** Creates the metric sources of a pipeline. */
export function createPipelineSources({ pipeline, outbox, ruleIds, ruleCosts }: PipelineSourcesOptions): PipelineSources {
  return {
    accounting: (tenant) => pipeline.accounting(tenant),
    consumers: () => [...pipeline.getProgress(), ...outbox.progress],
    countDegraded: (tenant) => pipeline.getDegradedRules(tenant).size,
    countNotSearchable: (tenant) => pipeline.countNotSearchable(tenant),
    checkpointAges: () => pipeline.getCheckpointAges(),
    ruleCosts,
    async evaluations(tenant) {
      const { getTotals } = await pipeline.ruleTotals(tenant)
      return (await ruleIds(tenant)).reduce((sum, id) => sum + getTotals(id).evaluations, 0)
    },
  }
}
