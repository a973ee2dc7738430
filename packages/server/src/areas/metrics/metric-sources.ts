import type { RuleRegistry } from '@tripline/detection/rules/rule-registry'
import type { ConnectorStatus } from '@tripline/model/connector'
import { isRunning } from '@tripline/model/rule'
import type { StateStore } from '@tripline/state/ports/state-store'
import type { MetricSources } from '../../metrics/metric-sources.ts'
import type { PipelineSources } from '../../metrics/pipeline-sources.ts'

type MetricSourcesOptions = {
  readonly state: Pick<StateStore, 'tenants' | 'alerts' | 'getDamagedRows'>
  readonly ruleBooks: Pick<RuleRegistry, 'get'>
  readonly pipeline: PipelineSources
  readonly connectors: ConnectorSources
  readonly getClockProblem: MetricSources['getClockProblem']
  readonly countStored: MetricSources['countStored']
  readonly getDamage: MetricSources['getDamage']
  readonly countFailingWebhooks: MetricSources['countFailingWebhooks']
  readonly pushConnections: MetricSources['pushConnections']
}

/** What metrics read from connectors. */
type ConnectorSources = Pick<MetricSources, 'hasConnector' | 'connectors' | 'listConnectors' | 'listCollectors'>

/** Creates the sources of metrics that other components hold. */
export function createMetricSources(options: MetricSourcesOptions): MetricSources {
  const { state, ruleBooks, pipeline, connectors, getClockProblem, countStored, getDamage, countFailingWebhooks, pushConnections } = options
  return {
    ...pipeline,
    ...connectors,
    getClockProblem,
    countStored,
    getDamagedRows: () => state.getDamagedRows(),
    getDamage,
    countFailingWebhooks,
    pushConnections,
    tenants: async () => (await state.tenants.list()).map(({ id }) => id),
    async rules(tenant) {
      const { rules } = await ruleBooks.get(tenant)
      return { loaded: rules.length, enabled: rules.filter(({ rule }) => isRunning(rule)).length }
    },
    ruleTitle: async (tenant, id) => (await ruleBooks.get(tenant)).get(id)?.rule.title,
    falsePositives: async (tenant) => (await state.alerts.allVerdicts(tenant)).false_positive,
  }
}

/** Creates the connector sources of metrics; enabled connectors count as active. */
export function createConnectorSources({ connectors, collectors }: Pick<StateStore, 'connectors' | 'collectors'>): ConnectorSources {
  return {
    hasConnector: async (tenant, id) => (await connectors.get(tenant, id)) !== undefined,
    async connectors(tenant) {
      const all = await connectors.list(tenant)
      const count = (status: ConnectorStatus): number => all.filter(({ health }) => health.status === status).length
      return { active: all.filter(({ isEnabled }) => isEnabled).length, healthy: count('healthy'), pending: count('pending') }
    },
    listConnectors: (tenant) => connectors.list(tenant),
    listCollectors: async (tenant) => (await collectors.list(tenant)).filter(({ status }) => status !== 'retired'),
  }
}
