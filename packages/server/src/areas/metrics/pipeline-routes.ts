import { systemHealthSchema } from '@tripline/contract/console/health'
import { connectorMetricsSchema, pipelineSeriesSchema, seriesQuerySchema } from '@tripline/contract/console/metrics'
import {
  detectionMetricsSchema, pipelineMetricsSchema, pipelineSourceListSchema, pipelineSourceQuerySchema,
} from '@tripline/contract/console/pipeline'
import { readIdParam } from '../../http/id-param.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { RequestContext, Route } from '../../http/route.ts'
import { readQuery } from '../../http/validate.ts'
import { getConnectorSeries, getDetectionMetrics, getPipelineMetrics, getPipelineSeries, getSystemHealth } from './metrics.ts'
import type { MetricsDeps, RangeRequest } from './metrics.ts'
import { listPipelineSources } from './list-sources.ts'
import {
  printConnectorMetrics, printDetectionMetrics, printPipelineMetrics, printPipelineSeries, printSystemHealth,
} from './pipeline-view.ts'

/** Routes for metrics of pipeline, detection and connectors, and for service health. */
export function pipelineRoutes(deps: MetricsDeps): Route[] {
  return [
    {
      method: 'GET', path: '/v1/pipeline/metrics', access: 'read', summary: 'Returns current metrics of each pipeline stage',
      responses: { 200: pipelineMetricsSchema },
      handle: async (c) => respond(c, printPipelineMetrics(await getPipelineMetrics(deps, getPrincipal(c).tenant))),
    },
    {
      method: 'GET', path: '/v1/pipeline/metrics/timeseries', access: 'read', summary: 'Returns pipeline metrics over time',
      query: seriesQuerySchema, responses: { 200: pipelineSeriesSchema },
      handle: async (c) => {
        const { request, warnings } = readRange(c)
        return respond(c, printPipelineSeries(await getPipelineSeries(deps, getPrincipal(c).tenant, request), warnings))
      },
    },
    {
      method: 'GET', path: '/v1/pipeline/sources', access: 'read', summary: 'Lists what each source of events brought in a range',
      query: pipelineSourceQuerySchema, responses: { 200: pipelineSourceListSchema },
      handle: async (c) => {
        const { query: { from, to }, warnings } = readQuery(c, pipelineSourceQuerySchema)
        return respond(c, { ...await listPipelineSources(deps, getPrincipal(c).tenant, { from, to }), query_warnings: [...warnings] })
      },
    },
    {
      method: 'GET', path: '/v1/connectors/:id/metrics', access: 'read', summary: 'Returns connector metrics over time',
      query: seriesQuerySchema, responses: { 200: connectorMetricsSchema },
      handle: async (c) => {
        const { request, warnings } = readRange(c)
        const id = readIdParam(c)
        return respond(c, printConnectorMetrics(id, await getConnectorSeries(deps, getPrincipal(c).tenant, id, request), warnings))
      },
    },
    {
      method: 'GET', path: '/v1/detection/metrics', access: 'read', summary: 'Returns current detection metrics',
      responses: { 200: detectionMetricsSchema },
      handle: async (c) => respond(c, printDetectionMetrics(await getDetectionMetrics(deps, getPrincipal(c).tenant))),
    },
    {
      method: 'GET', path: '/v1/health', access: 'read', summary: 'Returns the health of the services',
      responses: { 200: systemHealthSchema },
      handle: (c) => respond(c, printSystemHealth(getSystemHealth(deps, getPrincipal(c).tenant))),
    },
  ]
}

function readRange(c: RequestContext): { readonly request: RangeRequest; readonly warnings: readonly string[] } {
  const { query, warnings } = readQuery(c, seriesQuerySchema)
  return { request: { from: query.from, to: query.to, interval: query.interval }, warnings }
}
