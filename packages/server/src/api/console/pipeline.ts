import { connectorSeries, detectionNumbers, pipelineNumbers, pipelineSeries, systemHealth } from '../../app/metrics.ts'
import type { MetricsApp, RangeRequest } from '../../app/metrics.ts'
import { systemHealthSchema } from '../../contract/health.ts'
import { connectorMetricsSchema, pipelineSeriesSchema, seriesQuerySchema } from '../../contract/metrics.ts'
import { detectionMetricsSchema, pipelineMetricsSchema } from '../../contract/pipeline.ts'
import { pathId } from '../id-param.ts'
import { answer } from '../respond.ts'
import { callerOf } from '../route.ts'
import type { RequestContext, Route } from '../route.ts'
import { readQuery } from '../validate.ts'
import {
  printConnectorMetrics, printDetectionMetrics, printPipelineMetrics, printPipelineSeries, printSystemHealth,
} from './pipeline-view.ts'

/** What the pipeline, detection and connectors of a tenant do, now and over time, and how the services are. */
export function pipelineRoutes(app: MetricsApp): Route[] {
  return [
    {
      method: 'GET', path: '/v1/pipeline/metrics', access: 'read', summary: 'Shows what each stage of the pipeline does',
      answers: { 200: pipelineMetricsSchema },
      handle: async (c) => answer(c, printPipelineMetrics(await pipelineNumbers(app, callerOf(c).tenant))),
    },
    {
      method: 'GET', path: '/v1/pipeline/metrics/timeseries', access: 'read', summary: 'Shows what the pipeline did over time',
      query: seriesQuerySchema, answers: { 200: pipelineSeriesSchema },
      handle: async (c) => {
        const { request, warnings } = readRange(c)
        return answer(c, printPipelineSeries(await pipelineSeries(app, callerOf(c).tenant, request), warnings))
      },
    },
    {
      method: 'GET', path: '/v1/connectors/:id/metrics', access: 'read', summary: 'Shows what a connector received over time',
      query: seriesQuerySchema, answers: { 200: connectorMetricsSchema },
      handle: async (c) => {
        const { request, warnings } = readRange(c)
        const id = pathId(c)
        return answer(c, printConnectorMetrics(id, await connectorSeries(app, callerOf(c).tenant, id, request), warnings))
      },
    },
    {
      method: 'GET', path: '/v1/detection/metrics', access: 'read', summary: 'Shows what detection does',
      answers: { 200: detectionMetricsSchema },
      handle: async (c) => answer(c, printDetectionMetrics(await detectionNumbers(app, callerOf(c).tenant))),
    },
    {
      method: 'GET', path: '/v1/health', access: 'read', summary: 'Shows how the services are',
      answers: { 200: systemHealthSchema },
      handle: (c) => answer(c, printSystemHealth(systemHealth(app))),
    },
  ]
}

function readRange(c: RequestContext): { readonly request: RangeRequest; readonly warnings: readonly string[] } {
  const { query, warnings } = readQuery(c, seriesQuerySchema)
  return { request: { from: query.from, to: query.to, interval: query.interval }, warnings }
}
