import { encoded, encodedPowerShell } from '@tripline/detection/test/rules'
import type { Role } from '@tripline/model/access/permission'
import { Hono } from 'hono'
import { beforeEach, describe, expect, test } from 'vitest'
import { createMetricsFixture, emptyBooks, createRuleCost } from '../../../test/metrics-fixture.ts'
import { openTestServer, scrapeToken } from '../../../test/open-test-server.ts'
import type { TestServer } from '../../../test/open-test-server.ts'
import { authorize } from '../../http/middleware/authorize.ts'
import { errorHandler } from '../../http/middleware/errors.ts'
import { requestScope } from '../../http/middleware/request-scope.ts'
import type { Env } from '../../http/route.ts'
import { countAlerts } from '../../metrics/count-alerts.ts'
import { Meter } from '../../metrics/meter.ts'
import { openMetrics } from '../../metrics/metrics.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import type { SpaceLevel } from '../../metrics/server/server-monitor.ts'
import { createLog } from '../../runtime/log.ts'
import { getLiveMetrics } from './metrics.ts'
import { pipelineRoutes } from './pipeline-routes.ts'
import { prometheusRoutes } from './prometheus-routes.ts'

let server: TestServer
let world: ReturnType<typeof createMetricsFixture>
let meter: Meter
let metrics: Metrics
let http: Hono<Env>
beforeEach(async () => {
  server = await openTestServer([encodedPowerShell])
  const { io, app } = server
  const log = createLog(io)
  world = createMetricsFixture()
  world.tenants = ['default', 'other']
  meter = new Meter(io)
  metrics = await openMetrics({ meter, state: app.state, sources: world.sources, clock: io, log })
  http = new Hono<Env>()
  http.use(requestScope(io))
  http.onError(errorHandler({ log, clock: io }))
  const routes = [...pipelineRoutes({ metrics }), ...prometheusRoutes({ metrics })]
  for (const route of routes) http.on(route.method, route.path, authorize(app.http.authentication, route), route.handle)
})

/** Asks as a user with these roles in a tenant. */
async function get(
  path: string, { roles = ['viewer'] as readonly Role[], tenant = 'default' } = {},
): Promise<{ readonly status: number; readonly body: unknown }> {
  const token = await server.tokenOf(roles, tenant)
  const response = await http.request(`http://127.0.0.1${path}`, { headers: { authorization: `Bearer ${token}` } })
  return { status: response.status, body: await response.json() }
}

async function scrape(token: string): Promise<{ status: number; type: string | null; text: string }> {
  const response = await http.request('http://127.0.0.1/metrics', { headers: { authorization: `Bearer ${token}` } })
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

/** What a tenant's pipeline does in the tests. */
function work(): void {
  meter.count('default', 'events_normalized', { by: 99 })
  meter.count('default', 'normalization_failed')
  meter.count('default', 'rules_matched', { by: 4 })
  meter.count('default', 'alerts_enriched', { by: 3 })
  meter.count('default', 'intel_lookups', { by: 8 })
  meter.count('default', 'intel_cache_hits', { by: 6 })
  meter.count('default', 'topic_messages', { label: 'raw-events', by: 60 })
  meter.observe('default', 'normalization', 2, 99)
  meter.observe('default', 'normalization', 50)
  countAlerts(meter, 'default', [
    { ruleId: 'r1', level: 'high', attack: { tactics: ['execution'] } },
    { ruleId: 'r1', level: 'informational', attack: { tactics: [] } },
    { ruleId: 'gone', level: 'high', attack: { tactics: ['execution'] } },
  ])
  world.consumers = [{ topic: 'raw-events', consumer: 'deduplicate', handledCount: 4, lag: new Map([['default', 9]]) }]
  world.books.set('default', {
    accepted: 120, evaluated: 90, quarantined: new Map([['failed', 1]]), deduplicated: 20, inFlight: 9, lost: 0, late: 2, stateEvicted: 1,
  })
  world.connectors.set('default', ['c1'])
  world.falsePositives = 2
  metrics.beat()
}

describe('pipeline metrics', () => {
  test('of an active tenant', async () => {
    work()
    expect((await get('/v1/pipeline/metrics')).body).toEqual({
      timestamp: '2026-11-20T10:00:00.000Z',
      stages: {
        ingestion: { events_total: 120, events_per_second: 2, active_connectors: 1, healthy_connectors: 1, pending_connectors: 2 },
        normalization: {
          events_processed: 100, events_failed: 1, success_rate: 99, avg_latency_ms: 2.48, p99_latency_ms: 2.015,
          percentiles_ms: { p50: 2.015, p95: 2.015, p99: 2.015 },
        },
        detection: {
          events_evaluated: 90, rules_matched: 4, alerts_generated: 3, false_positives: 2, avg_evaluation_time_ms: 0,
          percentiles_ms: { p50: null, p95: null, p99: null },
        },
        enrichment: {
          alerts_processed: 3, avg_enrichment_time_ms: 0, intel_cache_hit_rate: 75, percentiles_ms: { p50: null, p95: null, p99: null },
        },
      },
      queue: {
        topics: [
          { name: 'raw-events', consumer_lag: 9, messages_per_second: 1 },
          { name: 'normalized-events', consumer_lag: 0, messages_per_second: 0 },
          { name: 'alerts', consumer_lag: 0, messages_per_second: 0 },
          { name: 'webhooks', consumer_lag: 0, messages_per_second: 0 },
        ],
      },
      books: {
        accepted: 120, evaluated: 90, quarantined: { failed: 1 }, deduplicated: 20, in_flight: 9, lost: 0, stored: 88, stored_lost: 4, not_searchable: 2,
        late: 2,
        state_evicted: 1,
      },
    })
  })

  test('are isolated by tenant', async () => {
    const quiet = await get('/v1/pipeline/metrics', { tenant: 'other' })
    work()
    world.falsePositives = 0
    expect(await get('/v1/pipeline/metrics', { tenant: 'other' })).toEqual(quiet)
  })
})

test('pushed metrics equal the served ones', async () => {
  work()
  expect(getLiveMetrics({ metrics }, 'default')).toEqual({
    ingestionRate: 2, normalizationLatencyP99: 2.015, alertsLastMinute: 3, consumerLag: 9,
  })
  meter.count('default', 'events_accepted', { by: 7 })
  expect(getLiveMetrics({ metrics }, 'default').ingestionRate).toBe(2.117)
  expect(getLiveMetrics({ metrics }, 'other')).toEqual({
    ingestionRate: 0, normalizationLatencyP99: 0, alertsLastMinute: 0, consumerLag: 0,
  })
})

test('responses conform to their schemas with any values', async () => {
  world.connectors.set('default', ['c1'])
  const rows = pipelineRoutes({ metrics }).map(({ path, responses }) => ({ path: path.replace(':id', 'c1'), schema: responses[200] }))
  for (const isAtWork of [false, true]) {
    if (isAtWork) work()
    for (const { path, schema } of rows) {
      const { body } = await get(path)
      expect(schema?.safeParse(body).error, path).toBeUndefined()
    }
  }
  expect(rows.every(({ schema }) => schema !== undefined && schema !== null)).toBe(true)
})

describe('time series', () => {
  test('of the pipeline, by minute over the last hour', async () => {
    work()
    meter.observe('default', 'evaluation', 0.5)
    for (const [label, by] of [['c1', 3], ['c2', 4]] as const) meter.count('default', 'connector_events_failed', { label, by })
    await metrics.tick()
    const { status, body } = await get('/v1/pipeline/metrics/timeseries?from=2026-11-20T09:58:00Z&to=2026-11-20T10:01:00%2B00:00')
    const at = (time: string, value: object) => ({ timestamp: `2026-11-20T${time}:00.000Z`, ...value })
    const values = (value: number) => [at('09:58', { value: 0 }), at('09:59', { value: 0 }), at('10:00', { value })]
    const none = { p50: null, p95: null, p99: null }
    expect([status, body]).toEqual([200, {
      ingestion_rate: values(2),
      normalization_latency: [at('09:58', none), at('09:59', none), at('10:00', { p50: 2.015, p95: 2.015, p99: 2.015 })],
      normalization_failed: values(1),
      evaluation_latency: [at('09:58', none), at('09:59', none), at('10:00', { p50: 0.503, p95: 0.503, p99: 0.503 })],
      enrichment_latency: [at('09:58', none), at('09:59', none), at('10:00', none)],
      alerts_generated: values(3),
      late: values(2),
      dropped: values(1),
      refused: values(7),
      queue_consumer_lag: { 'raw-events': values(9), 'normalized-events': values(0), alerts: values(0), webhooks: values(0) },
      interval: '1m',
      query_warnings: [],
    }])
  })

  test('include values counted just now', async () => {
    work()
    const { body } = await get('/v1/pipeline/metrics/timeseries')
    const last = { timestamp: '2026-11-20T10:00:00.000Z', value: 3 }
    expect(body).toMatchObject({ alerts_generated: expect.arrayContaining([last]) })
  })

  test('of a connector', async () => {
    world.connectors.set('default', ['c1'])
    meter.count('default', 'connector_events_received', { label: 'c1', by: 30 })
    meter.count('default', 'connector_events_received', { label: 'c2', by: 500 })
    meter.count('default', 'connector_events_failed', { label: 'c1', by: 3 })
    const range = 'from=2026-11-20T10:00:00Z&to=2026-11-20T10:01:00Z&interval=5m&colour=red'
    const points = (value: number) => [{ timestamp: '2026-11-20T10:00:00.000Z', value }]
    expect((await get(`/v1/connectors/c1/metrics?${range}`)).body).toEqual({
      connector_id: 'c1',
      metrics: { events_received: points(30), events_failed: points(3), throughput_eps: points(0.1) },
      interval: '5m',
      query_warnings: ['unknown_parameter:colour'],
    })
    for (const asked of [{ tenant: 'other' }, {}]) {
      const id = asked.tenant === undefined ? 'c2' : 'c1'
      const answered = await get(`/v1/connectors/${id}/metrics?${range}`, asked)
      expect(answered).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } })
    }
  })

  test.for<[query: string, message: string]>([
    ['interval=2m', "invalid interval '2m'; allowed: 1m, 5m, 15m, 1h"],
    ['from=yesterday', "invalid from 'yesterday'; must be an RFC 3339 time or a date"],
    ['from=2026-11-20T09:00:00Z&to=2026-11-20T09:00:00Z', "'from' must be before 'to'"],
    [
      'from=2026-11-13&to=2026-11-20&interval=1m',
      'the interval 1m makes 10080 points of the range; the limit is 2200; the smallest allowed is 5m',
    ],
    ['from=1970-01-01', 'the range has more than 2200 hours, the limit of the longest interval, 1h; request a shorter range'],
  ])('?%s is refused', async ([query, message]) => {
    expect(await get(`/v1/pipeline/metrics/timeseries?${query}`)).toMatchObject({
      status: 400, body: { error: { code: 'INVALID_PARAMETER', message } },
    })
  })
})

describe('sources', () => {
  const range = 'from=2026-11-20T09:30:00Z&to=2026-11-20T10:30:00Z'

  test('are the connectors, the most first, and what came otherwise', async () => {
    world.connectors.set('default', ['c1', 'c2', 'c3'])
    meter.count('default', 'events_accepted', { by: 100 })
    meter.count('default', 'connector_events_received', { label: 'c1', by: 15 })
    meter.count('default', 'connector_events_received', { label: 'c2', by: 60 })
    meter.count('default', 'connector_events_failed', { label: 'c2', by: 4 })
    const row = (id: string, events: number, failed: number) =>
      ({ id, name: `Name of ${id}`, type: 'syslog', events, events_failed: failed, events_per_second: events / 60, share: events })
    expect((await get(`/v1/pipeline/sources?${range}&colour=red`)).body).toEqual({
      from: '2026-11-20T09:30:00.000Z', to: '2026-11-20T10:30:00.000Z', events: 100,
      sources: [
        row('c2', 60, 4), { id: null, name: '', type: '', events: 25, events_failed: 0, events_per_second: 0.417, share: 25 },
        row('c1', 15, 0), row('c3', 0, 0),
      ],
      query_warnings: ['unknown_parameter:colour'],
    })
    expect((await get(`/v1/pipeline/sources?${range}`, { tenant: 'other' })).body).toMatchObject({ events: 0, sources: [] })
  })

  test('are the collectors too, by their names', async () => {
    world.collectors.set('default', ['k1', 'k2'])
    meter.count('default', 'events_accepted', { by: 100 })
    meter.count('default', 'connector_events_received', { label: 'k1', by: 75 })
    expect((await get(`/v1/pipeline/sources?${range}`)).body).toMatchObject({
      sources: [
        { id: 'k1', name: 'Name of k1', type: 'collector', events: 75, share: 75 }, { id: null, events: 25 }, { id: 'k2', events: 0, share: 0 },
      ],
    })
  })

  test('that were counted before what was accepted have whole shares', async () => {
    world.connectors.set('default', ['c1'])
    meter.count('default', 'connector_events_received', { label: 'c1', by: 20 })
    const { body } = await get(`/v1/pipeline/sources?${range}`)
    expect(body).toMatchObject({ events: 20, sources: [{ id: 'c1', events: 20, share: 100 }] })
  })

  test('of another range have none of these events', async () => {
    meter.count('default', 'events_accepted', { by: 100 })
    const { body } = await get('/v1/pipeline/sources?from=2026-11-20T08:00:00Z&to=2026-11-20T09:00:00Z')
    expect(body).toMatchObject({ events: 0, sources: [{ id: null, events: 0, share: 0 }] })
  })

  test('of a range that ends before it begins are refused', async () => {
    const answered = await get('/v1/pipeline/sources?from=2026-11-20T09:00:00Z&to=2026-11-20T08:00:00Z')
    expect(answered).toMatchObject({ status: 400, body: { error: { code: 'INVALID_PARAMETER' } } })
  })
})

test('detection metrics cover the alerts of the last day', async () => {
  work()
  world.costs.set('default', [createRuleCost({})])
  meter.observe('default', 'evaluation', 0.5)
  const { body } = await get('/v1/detection/metrics')
  expect(body).toEqual({
    timestamp: '2026-11-20T10:00:00.000Z',
    rules_loaded: 1,
    rules_enabled: 1,
    evaluations_per_second: 0,
    avg_evaluation_time_ms: 0.5,
    p99_evaluation_time_ms: expect.closeTo(0.5, 1),
    top_alerting_rules: [
      { rule_id: 'r1', title: 'Title of r1', alerts_last_24h: 2 },
      { rule_id: 'gone', title: '', alerts_last_24h: 1 },
    ],
    alerts_by_severity: { critical: 0, high: 2, medium: 0, low: 1 },
    alerts_by_tactic: { execution: 2 },
  })
  server.io.nowMs += 86_400_000 + 300_000
  const later = await get('/v1/detection/metrics')
  expect(later.body).toMatchObject({ top_alerting_rules: [], alerts_by_severity: { high: 0 }, alerts_by_tactic: {} })
})

test('events that were lost before they were evaluated are in books, health and metrics', async () => {
  world.books.set('default', { ...emptyBooks, accepted: 120, evaluated: 117, lost: 3 })
  metrics.beat()
  expect((await get('/v1/pipeline/metrics')).body).toMatchObject({ books: { accepted: 120, evaluated: 117, lost: 3 } })
  expect((await get('/v1/health')).body).toMatchObject({ checks: { events_lost: 3 } })
  expect((await scrape(await server.tokenOf(['operator']))).text).toContain('tripline_lost_total{tenant="default"} 3\n')
})

test('health is the state of the watchdog', async () => {
  const up = { status: 'up', replicas: 1, healthy_replicas: 1, since: '2026-11-20T10:00:00.000Z', reason: null }
  expect(await get('/v1/health')).toEqual({
    status: 200,
    body: {
      status: 'healthy',
      timestamp: '2026-11-20T10:00:00.000Z',
      services: { 'connector-service': up, 'normalizer-service': up, 'detection-service': up, 'enrichment-service': up },
      checks: {
        loop_lag_ms: 0, loop_on_time: true, queues_moving: true, store_writable: true, store_write_ms: 0, queue_sync_ms: null, disk: null, clock_plausible: true,
        events_lost: 0,
        events_not_searchable: 2, stored_events_lost: 4, rows_damaged: 0, webhooks_failing: 5, expiring: [], data_intact: null, data_verified_at: null,
      },
    },
  })
  await server.app.state.close()
  await metrics.watchdog.write()
  expect(metrics.watchdog.health().status).toBe('unhealthy')
})

test.for<[level: SpaceLevel, state: string, status: string]>([
  ['enough', 'ok', 'healthy'],
  ['low', 'low', 'degraded'],
  ['high', 'nearly_full', 'degraded'],
  ['flood', 'full', 'unhealthy'],
])('a disk with space of level %s is %s, and the system %s', async ([level, state, status]) => {
  metrics.monitor.diskSpace = { freeBytes: 7, sizeBytes: 100, level }
  expect((await get('/v1/health')).body).toMatchObject({ status, checks: { disk: { state, free_bytes: 7, size_bytes: 100 } } })
})

describe('the metrics of the installation', () => {
  test.for<[who: string, status: number]>([
    ['operator', 200],
    ['admin', 403],
    ['auditor', 403],
  ])('%s: %i', async ([role, status]) => {
    expect((await scrape(await server.tokenOf([role as Role]))).status).toBe(status)
  })

  test.for<[token: string, status: number]>([
    [scrapeToken, 200],
    [`${scrapeToken}s`, 401],
    ['', 401],
  ])('the secret %s: %i', async ([token, status]) => {
    expect((await scrape(token)).status).toBe(status)
  })

  test('are in the text format of Prometheus', async () => {
    work()
    world.books.set('other "tenant"\\', { ...emptyBooks, accepted: 1, evaluated: 1 })
    world.tenants.push('other "tenant"\\')
    const { type, text } = await scrape(await server.tokenOf(['operator']))
    expect(type).toBe('text/plain; version=0.0.4; charset=utf-8')
    const lines = text.trimEnd().split('\n')
    const sample = /^tripline_[a-z_]+(\{[a-z_]+="(\\.|[^"\\])*"(,[a-z_]+="(\\.|[^"\\])*")*\})? -?[\d.e+-]+$/
    expect(lines.filter((line) => !line.startsWith('# ') && !sample.test(line))).toEqual([])
    expect(lines.length).toBeGreaterThan(50)
    const families = lines.filter((line) => line.startsWith('# TYPE ')).map((line) => line.split(' ')[2])
    expect(new Set(families).size).toBe(families.length)
    for (const line of [
      'tripline_accepted_total{tenant="default"} 120',
      String.raw`tripline_accepted_total{tenant="other \"tenant\"\\"} 1`,
      'tripline_quarantined_total{tenant="default",reason="failed"} 1',
      'tripline_in_flight{tenant="default"} 9',
      'tripline_late_total{tenant="default"} 2',
      'tripline_state_evicted_total{tenant="default"} 1',
      'tripline_severity_alerts_total{tenant="default",severity="high"} 2',
      'tripline_consumer_lag{tenant="default",topic="raw-events"} 9',
      'tripline_normalization_seconds_count{tenant="default"} 100',
      'tripline_service_up{service="detection-service"} 1',
      'tripline_loop_on_time 1',
      'tripline_checkpoint_age_seconds{stage="detect"} 1.5',
      'tripline_websocket_connections{tenant="default"} 2',
    ]) expect(lines).toContain(line)
  })
})

describe('the server', () => {
  const send = (...events: readonly object[]) => server.call('POST', '/ingest/v1/events', { body: events })

  test('accounts for accepted events', async () => {
    await server.app.metrics.tick()
    await send({ ...encoded, id: 'once' }, { ...encoded, id: 'once' }, { Image: 'cmd.exe' })
    await server.app.metrics.tick()
    const { body } = await server.call('GET', '/v1/pipeline/metrics')
    expect(body).toMatchObject({
      stages: { ingestion: { events_total: 3, events_per_second: 0.05 }, detection: { events_evaluated: 2, rules_matched: 1 } },
      books: { accepted: 3, evaluated: 2, quarantined: {}, deduplicated: 1, in_flight: 0, lost: 0, stored: 2, stored_lost: 0, not_searchable: 0, late: 0, state_evicted: 0 },
    })
    const range = 'from=2026-11-20T10:00:00Z&to=2026-11-20T10:01:00Z'
    const { body: series } = await server.call('GET', `/v1/pipeline/metrics/timeseries?${range}`)
    expect(series).toMatchObject({ ingestion_rate: [{ timestamp: '2026-11-20T10:00:00.000Z', value: 0.05 }] })
    const { text } = await scrapeOf(server)
    expect(text).toContain('tripline_accepted_total{tenant="default"} 3\n')
    expect(text).not.toContain('tripline_events_accepted')
    expect(text).toContain('\ntripline_evaluation_seconds_count{tenant="default"} 2\n')
  })

  test('counts evaluations by log source', async () => {
    await server.app.metrics.tick()
    await send(encoded)
    // Without waiting for the next time at which all counters are stored.
    const { body } = await server.call('GET', '/v1/detection/metrics')
    expect(body).toMatchObject({ rules_loaded: 1, rules_enabled: 1, evaluations_per_second: rounded(1 / 60) })
  })

  test('does not find an unknown connector', async () => {
    expect(await server.call('GET', '/v1/connectors/c1/metrics')).toMatchObject({ status: 404 })
  })
})

async function scrapeOf({ call }: TestServer): Promise<{ readonly text: string }> {
  const { body } = await call('GET', '/metrics', { token: scrapeToken })
  return { text: String(body) }
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000
}
