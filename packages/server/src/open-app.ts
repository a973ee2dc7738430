import type { Log } from '@tripline/common/log'
import type { Runtime } from '@tripline/common/runtime'
import { createMatchEnricher } from '@tripline/detection/enrichment/enrich-matches'
import { createEnricher } from '@tripline/detection/enrichment/enricher'
import type { Enricher } from '@tripline/detection/enrichment/enricher'
import { FairTurns } from '@tripline/detection/fairness/fair-turns'
import { openPipeline } from '@tripline/detection/pipeline/open-pipeline'
import type { PipelineOptions } from '@tripline/detection/pipeline/open-pipeline'
import type { Pipeline } from '@tripline/detection/pipeline/pipeline'
import { sleep as pause } from '@tripline/detection/pipeline/sleep'
import { compileBuiltinRules } from '@tripline/detection/rules/builtin-rules'
import type { BuiltinRules } from '@tripline/detection/rules/builtin-rules'
import { RuleLoader, RuleRegistry } from '@tripline/detection/rules/rule-registry'
import type { RuleSource } from '@tripline/engine'
import type { AuditRecorder } from '@tripline/model/audit'
import { isRunning } from '@tripline/model/rule'
import { settingDefaults as builtinDefaults } from '@tripline/model/tenant-settings'
import type { TenantSettings } from '@tripline/model/tenant-settings'
import type { InstallationKeys } from '@tripline/state/installation-keys'
import type { StateStore } from '@tripline/state/ports/state-store'
import type { Bus } from '@tripline/storage/bus/bus'
import type { EventStore } from '@tripline/storage/events/event-store'
import type { ScryptParameters } from './access/login/password.ts'
import { createIntegrationWindows } from './access/authenticate-integration.ts'
import { openAuth } from './access/open-auth.ts'
import type { AuthService } from './access/open-auth.ts'
import { createConsoleLimiter } from './access/rate-limiter.ts'
import { createKeyUsageRecorder } from './access/record-key-usage.ts'
import type { SecondFactorPolicy } from './access/second-factor.ts'
import type { ExternalIssuer } from './access/tokens/external-issuer.ts'
import { alertContextRoutes } from './areas/alert-context/alert-context-routes.ts'
import { alertRoutes } from './areas/alerts/alert-routes.ts'
import { publicAlertRoutes } from './areas/alerts/public-alert-routes.ts'
import { apiKeyRoutes } from './areas/api-keys/api-key-routes.ts'
import { auditRoutes } from './areas/audit/audit-routes.ts'
import { changeRoutes } from './areas/changes/change-routes.ts'
import { connectorRoutes } from './areas/connectors/connector-routes.ts'
import { assetRoutes } from './areas/enrichment/asset-routes.ts'
import { publicAssetRoutes } from './areas/enrichment/public-asset-routes.ts'
import { publicIncidentRoutes } from './areas/incidents/public-incident-routes.ts'
import { incidentRoutes } from './areas/incidents/incident-routes.ts'
import { exportRoutes } from './areas/exports/export-routes.ts'
import { publicExportRoutes } from './areas/exports/public-export-routes.ts'
import { RunningExports } from './areas/exports/running-exports.ts'
import { identityRoutes } from './areas/enrichment/identity-routes.ts'
import { indicatorRoutes } from './areas/enrichment/indicator-routes.ts'
import { ingestRoutes } from './areas/ingest/ingest-routes.ts'
import { limitRoutes } from './areas/limits/limit-routes.ts'
import { createConnectorSources, createMetricSources } from './areas/metrics/metric-sources.ts'
import { getLiveMetrics } from './areas/metrics/metrics.ts'
import { pipelineRoutes } from './areas/metrics/pipeline-routes.ts'
import { prometheusRoutes } from './areas/metrics/prometheus-routes.ts'
import { profileRoutes } from './areas/profile/profile-routes.ts'
import { pushRoutes } from './areas/push/push-routes.ts'
import { RetentionClock } from './areas/retention/retention-clock.ts'
import { BacktestLimiter } from './areas/rules/backtests/backtest-limiter.ts'
import { backtestRoutes } from './areas/rules/backtests/backtest-routes.ts'
import { publicRuleRoutes } from './areas/rules/public-rule-routes.ts'
import { ruleChangeRoutes } from './areas/rules/rule-change-routes.ts'
import { createRuleScan } from './areas/rules/rule-list.ts'
import { ruleMatchRoutes } from './areas/rules/rule-match-routes.ts'
import { ruleRoutes } from './areas/rules/rule-routes.ts'
import { createRuleStats } from './areas/rules/rule-stats.ts'
import type { RuleStats } from './areas/rules/rule-stats.ts'
import { createConditionFinder } from './areas/rules/tests/find-matched-conditions.ts'
import type { CostlyRules } from './areas/rules/tests/check-costly-definition.ts'
import { CostlyChangeLimiter } from './areas/rules/tests/costly-change-limiter.ts'
import { createRuleExplainer, ruleTestRoutes } from './areas/rules/tests/rule-test-routes.ts'
import { RuleTestThread } from './areas/rules/tests/rule-test-thread.ts'
import type { RuleTestThreadOptions } from './areas/rules/tests/rule-test-thread.ts'
import { createSurroundingsReader, eventRoutes } from './areas/search/event-routes.ts'
import { createSearchRecorder } from './areas/search/search-recorder.ts'
import { publicSearchRoutes } from './areas/search/public-search-routes.ts'
import { searchRoutes } from './areas/search/search-routes.ts'
import { meRoutes } from './areas/sessions/me-routes.ts'
import { sessionRoutes } from './areas/sessions/session-routes.ts'
import { settingsRoutes } from './areas/tenants/settings-routes.ts'
import { tenantRoutes } from './areas/tenants/tenant-routes.ts'
import { peopleRoutes } from './areas/users/people-routes.ts'
import { userRoutes } from './areas/users/user-routes.ts'
import { viewRoutes } from './areas/views/view-routes.ts'
import { publicWebhookRoutes } from './areas/webhooks/public-webhook-routes.ts'
import { webhookRoutes } from './areas/webhooks/webhook-routes.ts'
import { openPush } from './delivery/open-push.ts'
import type { LivePush } from './delivery/open-push.ts'
import { OutboxReader } from './delivery/outbox/outbox-reader.ts'
import { pushLiveTailEvents } from './delivery/push-live-tails.ts'
import { openWebhooks } from './delivery/webhooks/open-webhooks.ts'
import type { Webhooks } from './delivery/webhooks/open-webhooks.ts'
import type { Egress } from './egress/egress.ts'
import { apiDocsRoutes } from './http/api-docs.ts'
import { healthRoutes } from './http/health.ts'
import type { Readiness } from './http/health.ts'
import type { HttpDeps } from './http/http.ts'
import type { Route } from './http/route.ts'
import { playbookRoutes } from './areas/playbooks/playbook-routes.ts'
import { PlaybookRunner } from './playbooks/run-playbooks.ts'
import { createPlaybookConsumer } from './playbooks/start-playbooks.ts'
import { createGroupingConsumer } from './incidents/group-alerts.ts'
import type { ConnectorDeps } from './ingestion/connectors/connector-deps.ts'
import { openConnectors } from './ingestion/connectors/open-connectors.ts'
import type { Connectors } from './ingestion/connectors/open-connectors.ts'
import { createTenantEgress } from './ingestion/connectors/tenant-egress.ts'
import { ingestPolledEvents } from './ingestion/ingest.ts'
import { createInstruments } from './metrics/instruments.ts'
import { Meter } from './metrics/meter.ts'
import { createMeteredBus } from './metrics/metered-bus.ts'
import { openMetrics } from './metrics/metrics.ts'
import type { Metrics } from './metrics/metrics.ts'
import { createPipelineSources } from './metrics/pipeline-sources.ts'
import type { ServerMonitor } from './metrics/server/server-monitor.ts'

/** What is opened before the app, and the settings. */
export type AppOptions = {
  readonly sources: readonly RuleSource[]
  readonly state: StateStore
  readonly bus: Bus
  /** Events at rest. */
  readonly events: EventStore
  /** Shares the event loop among tenants; default: a new one. */
  readonly turns?: FairTurns
  readonly keys: InstallationKeys
  /** The public URL of the server, such as `https://tripline.example`; empty if not configured. */
  readonly publicUrl: string
  /** Whether users reach the server over TLS, so that cookies may be bound to it; default: as the public URL says. */
  readonly isPublicOverTls?: boolean
  /** Origins of pages that may use the API besides those that this server serves and that of the public URL. */
  readonly allowedOrigins?: readonly string[]
  readonly externalIssuer?: ExternalIssuer
  /** What the operator decided about second factors. */
  readonly secondFactorPolicy?: SecondFactorPolicy
  /** Settings of tenants that do not set their own. */
  readonly settingDefaults?: TenantSettings
  /** Tells whether the clock is plausible; default: a new one. */
  readonly retentionClock?: Pick<RetentionClock, 'problem'>
  /** Records actions that may repeat many times. */
  readonly trail: AuditRecorder
  readonly readiness: Readiness
  /** The bearer token with which monitoring reads all metrics. */
  readonly scrapeToken?: string
  readonly scrypt?: ScryptParameters
  /** The guarded HTTP client for connectors. */
  readonly egress: Egress
  /** How connectors sleep; tests inject their own. */
  readonly sleep?: ConnectorDeps['sleep']
  /** Pipeline callbacks and waiting, replaced in tests. */
  readonly pipeline?: Pick<PipelineOptions, 'onFailure' | 'enrich' | 'onDiskFull' | 'hasSpace' | 'pause' | 'checkpointMs'>
  /** How costly rule tests run; default: in a worker thread. */
  readonly ruleTests?: RuleTestThreadOptions
  /** Counts what concerns the whole server; default: a new one. */
  readonly monitor?: ServerMonitor
  readonly io: Runtime
  readonly log: Log
}

/** The opened parts of a server behind its listener. */
export type App = {
  /** The routes of all areas, and what surrounds them. */
  readonly http: HttpDeps
  readonly detection: Detection
  readonly identity: AuthService
  readonly metrics: Metrics
  readonly connectors: Connectors
  readonly delivery: Delivery
}

/** The way of domain events to clients and webhooks. */
export type Delivery = {
  readonly push: LivePush
  readonly webhooks: Webhooks
  readonly outbox: OutboxReader
  /** Carries out the runs of playbooks. */
  readonly playbookRunner: PlaybookRunner
}

/** Rules, and the way of events from ingest to alerts. */
export type Detection = {
  readonly pipeline: Pipeline
  readonly ruleBooks: RuleRegistry
  readonly activity: RuleStats
  readonly enricher: Enricher
  readonly costlyRules: CostlyRules & { readonly ruleTests: RuleTestThread }
}

/**
 * Opens a server in order, each part from those before it: compiles the built-in rules, loads the tenants' changes, opens the
 * pipeline, which resumes where it stopped, and gives each area what its routes need. A rule that does not compile is logged
 * with its first problem.
 */
export async function openApp(options: AppOptions): Promise<App> {
  const { sources, state, events, keys, publicUrl, externalIssuer, secondFactorPolicy, scrapeToken, scrypt } = options
  const { egress, sleep, monitor, trail, readiness, io, log, turns = new FairTurns(), settingDefaults = builtinDefaults } = options
  const { retentionClock = new RetentionClock(io) } = options

  // Access.
  const issuerName = publicUrl === '' ? 'tripline' : publicUrl
  const identity = await openAuth({
    stores: state, keys, issuerName, externalIssuer, ...(secondFactorPolicy && { secondFactorPolicy }), ...(scrypt && { scrypt }), io,
  })
  const limiter = createConsoleLimiter()

  // Push. Its clients get metrics once these are measured.
  const allowedOrigins = [...(publicUrl === '' ? [] : [new URL(publicUrl).origin]), ...options.allowedOrigins ?? []]
  const push = await openPush({
    authenticationDeps: { authentication: identity, limiter, clock: io }, state, trail, allowedOrigins, io, log,
  })

  // Rules, and the pipeline that runs them.
  const library = compileBuiltinRules(sources, io.now())
  logReports(log, library)
  const ruleLoader = new RuleLoader({
    library,
    loadStoredRules: state.rules.list,
    now: io.now,
    onBroken: (tenant, broken) => {
      for (const { rule: { id, title }, problem } of broken) {
        log.warn('a stored rule cannot run', { tenant, id, title, problem })
      }
    },
  })
  const meter = new Meter(io)
  const measure = createInstruments(meter)
  const enricher = createEnricher({ stores: state, elapsedMs: io.elapsedMs, onEnriched: measure.enriched })
  const pipeline = await openPipeline({
    enrich: createMatchEnricher(enricher),
    onStored: (tenant, stored) => pushLiveTailEvents({ hub: push.hub, keys }, tenant, stored),
    turns,
    ...options.pipeline,
    bus: createMeteredBus(options.bus, meter), events, state, instruments: measure, io, log,
    loadRules: async (tenant) => {
      const { running: ruleSet, versions } = await ruleLoader.get(tenant)
      return { ruleSet, versions }
    },
  })
  const ruleBooks = new RuleRegistry({ loader: ruleLoader, useRules: pipeline.useRules.bind(pipeline), now: io.now })

  // Changes on their way to consumers.
  const grouping = createGroupingConsumer({ state, clock: io, randomBytes: io.randomBytes, trail, settingDefaults })
  const webhooks = openWebhooks({
    state, boxKey: keys.box, egressOf: (tenant) => createTenantEgress({ egress, state }, tenant), publicUrl, sleep: pause, io, log,
    onAttempt: (tenant, outcome) => meter.count(tenant, 'webhook_attempts', { label: outcome }),
  })
  const playbookRunner = new PlaybookRunner({ state, egress, clock: io, log })
  const playbookStarts = createPlaybookConsumer({ state, clock: io, randomBytes: io.randomBytes, trail, runner: playbookRunner })
  const consumers = [push.consumer, grouping, playbookStarts, webhooks.consumer]
  const topics = new Set(consumers.map(({ topic }) => topic))
  const outbox = await OutboxReader.open({
    state, consumers, sleep: pause, log,
    onPublished: (tenant, by) => topics.forEach((topic) => meter.count(tenant, 'topic_messages', { label: topic, by })),
  })

  // Measurements of all of them.
  const measured = createPipelineSources({
    pipeline, outbox, ruleCosts: pipeline.ruleCosts,
    ruleIds: async (tenant) => (await ruleBooks.get(tenant)).rules.map(({ rule }) => rule.id),
  })
  const metricsFrom = createMetricSources({
    state, ruleBooks, pipeline: measured, connectors: createConnectorSources(state.connectors),
    getClockProblem: () => retentionClock.problem,
    countStored: async (tenant) => (await events.stats(tenant)).eventCount,
    getDamage: (tenant) => events.getDamage(tenant),
    countFailingWebhooks: (tenant) => webhooks.sender.countFailing(tenant),
    pushConnections: (tenant) => push.hub.connectionCount(tenant),
  })
  const metrics = await openMetrics({ meter, state, sources: metricsFrom, clock: io, log, ...(monitor && { monitor }) })
  push.publishMetrics((tenant) => getLiveMetrics({ metrics }, tenant))

  // Polled sources.
  const connectors = openConnectors({
    state, keys, egress, io, log, ...(sleep && { sleep }),
    ingest: (tenant, connectorId, polled) => ingestPolledEvents(pipeline, { tenant, connectorId }, polled),
    onArrival: measure.received,
  })

  // The routes of each area, with what it states.
  const clock = io
  const { randomBytes } = io
  const activity = createRuleStats({ pipeline, metrics })
  const costlyRules = { ruleTests: new RuleTestThread(options.ruleTests), costlyChanges: new CostlyChangeLimiter(io) }
  const admin = { state, identity, clock, randomBytes }
  const { isPublicOverTls = publicUrl.startsWith('https:') } = options
  const enrichment = { state, enricher, clock, randomBytes, keys, trail }
  const search = { events, pipeline, keys, clock, trail, recordSearch: createSearchRecorder({ state, clock, log }) }
  const exporting = { state, rules: createRuleScan({ state, ruleBooks, activity }), running: new RunningExports(), clock, trail }
  const routes: readonly Route[] = [
    ...healthRoutes(readiness), ...limitRoutes, ...ingestRoutes({ pipeline, turns, connectors }),
    ...sessionRoutes({ state, identity, metrics, clock, trail, isPublicOverTls }),
    ...profileRoutes({ state, identity, settingDefaults, clock }), ...meRoutes({ ...admin, trail }),
    ...ruleRoutes({ state, ruleBooks, activity, clock, keys, trail }), ...ruleTestRoutes({ ruleBooks, costlyRules }),
    ...ruleMatchRoutes({ state, ruleBooks, keys, clock, trail }),
    ...ruleChangeRoutes({ state, ruleBooks, activity, clock, randomBytes, costlyRules }),
    ...backtestRoutes({ ruleBooks, events, costlyRules, backtests: new BacktestLimiter(), clock, trail }),
    ...userRoutes(admin), ...peopleRoutes({ state }), ...viewRoutes(admin), ...apiKeyRoutes(admin),
    ...settingsRoutes({ state, clock, authentication: identity, settingDefaults }), ...tenantRoutes({ ...admin, connectors }),
    ...connectorRoutes({ state, connectors, clock, randomBytes, trail, publicUrl }),
    ...changeRoutes({ state, ruleBooks, clock, startedAt: io.now() }),
    ...alertContextRoutes(
      { state, ruleBooks, explainRule: createRuleExplainer({ ruleBooks, costlyRules }), keys, clock }, createSurroundingsReader(search),
    ),
    ...alertRoutes({ state, keys, clock, randomBytes, trail }), ...incidentRoutes({ state, keys, clock, randomBytes, trail }),
    ...auditRoutes({ state, keys, clock, trail }),
    ...exportRoutes(exporting),
    ...playbookRoutes({ state, keys, clock, randomBytes, trail, runner: playbookRunner }),
    ...webhookRoutes({ state, webhooks, settingDefaults, clock, randomBytes, keys, trail }),
    ...searchRoutes(search), ...eventRoutes({ state, events, keys }, search),
    ...assetRoutes(enrichment), ...identityRoutes(enrichment), ...indicatorRoutes(enrichment),
    ...pipelineRoutes({ metrics }), ...prometheusRoutes({ metrics }), ...pushRoutes(push),
    ...apiDocsRoutes(() => routes),
  ]
  const authentication = {
    authentication: identity, connectorSenders: { state, connectors }, limiter, scrapeToken, clock,
    apiKeys: { store: state.apiKeys, recordUsage: createKeyUsageRecorder({ apiKeys: state.apiKeys, clock, log }) },
  }
  const integration = { authentication, windows: createIntegrationWindows(), settingDefaults }
  const idempotency = { state, keys, clock, randomBytes }
  const publicApi = {
    integration, idempotency,
    routes: [
      ...publicAlertRoutes({
        state, keys, clock, randomBytes, publicUrl, findMatchedConditions: createConditionFinder({ ruleBooks, costlyRules }),
      }),
      ...publicSearchRoutes(search), ...publicRuleRoutes({ state, ruleBooks, activity, clock, keys }),
      ...publicAssetRoutes(enrichment), ...publicIncidentRoutes({ state, keys, clock, randomBytes, publicUrl }),
      ...publicExportRoutes(exporting),
      ...publicWebhookRoutes({ state, webhooks, settingDefaults, clock, randomBytes, keys }),
    ],
  }
  const http = { routes, publicApi, authentication, idempotency, trail, monitor: metrics.monitor }
  const detection = { pipeline, ruleBooks, activity, enricher, costlyRules }
  return { http, detection, identity, metrics, connectors, delivery: { push, webhooks, outbox, playbookRunner } }
}

function logReports(log: Log, { reports, rules }: BuiltinRules): void {
  for (const { path, title, verdict, diagnostics } of reports) {
    if (verdict === 'compiled') continue
    const problem = diagnostics.find(({ kind }) => kind !== 'lint')
    const { code, message, line } = problem ?? {}
    log.warn('a rule was not loaded', { path, title, verdict, code, problem: message, line })
  }
  const compiled = reports.filter(({ verdict }) => verdict === 'compiled').length
  const enabledCount = [...rules.values()].filter(({ rule }) => isRunning(rule)).length
  log.info('rules loaded', { compiled, enabled: enabledCount, not_loaded: reports.length - compiled })
}
