import { supportBundleSchema } from '@tripline/contract/console/support-bundle'
import type { SupportBundleBody } from '@tripline/contract/console/support-bundle'
import { recordOutcome } from '../../audit/record-outcome.ts'
import type { OutcomeDeps } from '../../audit/record-outcome.ts'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { Route } from '../../http/route.ts'
import type { HostStats } from '../../metrics/server/host-stats.ts'
import { printConnector } from '../connectors/connector-view.ts'
import { listConnectors } from '../connectors/connectors.ts'
import type { ConnectorUseCaseDeps } from '../connectors/connectors.ts'
import { getDetectionMetrics, getPipelineMetrics, getSystemHealth } from '../metrics/metrics.ts'
import type { MetricsDeps } from '../metrics/metrics.ts'
import { printDetectionMetrics, printPipelineMetrics, printSystemHealth } from '../metrics/pipeline-view.ts'

/** The route of the file that an administrator sends to those who help with a server. */
export function supportRoutes(deps: MetricsDeps & ConnectorUseCaseDeps & OutcomeDeps): Route[] {
  return [{
    method: 'GET', path: '/v1/support-bundle', access: 'administer_tenant',
    summary: 'Returns versions and figures of the server as one file, without events, texts, names or secrets',
    responses: { 200: supportBundleSchema },
    handle: async (c) => {
      const caller = getPrincipal(c)
      const action = { action: 'support_bundle.read', target: { type: 'tenant', id: caller.tenant } }
      return respond(c, await recordOutcome(deps, caller, action, () => collectBundle(deps, caller.tenant), () => ({})))
    },
  }]
}

async function collectBundle(deps: MetricsDeps & ConnectorUseCaseDeps, tenant: string): Promise<SupportBundleBody> {
  const connectors = await listConnectors(deps, tenant)
  return {
    generated_at: formatTimestamp(deps.clock.now()),
    process: printProcess(await deps.metrics.monitor.readHost?.()),
    health: printSystemHealth(getSystemHealth(deps, tenant)),
    pipeline: printPipelineMetrics(await getPipelineMetrics(deps, tenant)),
    detection: printDetectionMetrics(await getDetectionMetrics(deps, tenant)),
    connectors: connectors.map(printConnector).map(({ id, type, status, enabled, health, stats }) => {
      return { id, type, status, enabled, health, stats }
    }),
  }
}

function printProcess(host: HostStats | undefined): SupportBundleBody['process'] {
  if (host === undefined) return null
  const { version, nodeVersion, startedAtSeconds, cpuSeconds, residentBytes, heapBytes, openDescriptors, descriptorsMax, disk } = host
  return {
    version, node_version: nodeVersion, started_at: formatTimestamp(startedAtSeconds * 1_000), cpu_seconds: cpuSeconds,
    resident_bytes: residentBytes, heap_bytes: heapBytes, open_descriptors: openDescriptors ?? null,
    descriptors_max: descriptorsMax ?? null,
    disk: disk === undefined ? null : { free_bytes: disk.freeBytes, size_bytes: disk.sizeBytes },
  }
}
