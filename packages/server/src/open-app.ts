import type { RuleSource } from '@tripline/engine'
import type { Bus } from '@tripline/storage/bus/bus'
import type { EventStore } from '@tripline/storage/events/event-store'
import type { ExternalIssuer } from './access/tokens/external-issuer.ts'
import type { ScryptParameters } from './access/login/password.ts'
import type { SecondFactorPolicy } from './access/second-factor.ts'
import { createConsoleLimiter } from './access/rate-limiter.ts'
import type { ConnectorDeps } from './ingestion/connectors/connector-deps.ts'
import { isRunning } from './model/rule.ts'
import { settingDefaults } from './model/tenant-settings.ts'
import type { TenantSettings } from './model/tenant-settings.ts'
import type { Egress } from './egress/egress.ts'
import { createEnricher } from './detection/enrichment/enricher.ts'
import type { Runtime } from './runtime/runtime.ts'
import type { Log } from './runtime/log.ts'
import { createInstruments } from './metrics/instruments.ts'
import { Meter } from './metrics/meter.ts'
import { openMetrics } from './metrics/metrics.ts'
import { createMeteredBus } from './metrics/metered-bus.ts'
import type { ServerMonitor } from './metrics/server/server-monitor.ts'
import { createPipelineSources } from './metrics/pipeline-sources.ts'
import { FairTurns } from './fairness/fair-turns.ts'
import { openPipeline } from './detection/pipeline/open-pipeline.ts'
import type { PipelineOptions } from './detection/pipeline/open-pipeline.ts'
import { RuleRegistry } from './detection/rules/rule-registry.ts'
import { compileBuiltinRules } from './detection/rules/builtin-rules.ts'
import type { BuiltinRules } from './detection/rules/builtin-rules.ts'
import type { InstallationKeys } from './state/installation-keys.ts'
import type { StateStore } from './state/ports/state-store.ts'
import type { App } from './areas/shared/app.ts'
import { AuditAggregator } from './areas/shared/audit-aggregator.ts'
import { BacktestLimiter } from './areas/rules/backtests/backtest-limiter.ts'
import { CostlyChangeLimiter } from './areas/rules/tests/costly-change-limiter.ts'
import { createMatchEnricher } from './detection/enrichment/enrich-matches.ts'
import { ingestPolledEvents } from './ingestion/ingest.ts'
import { getLiveMetrics } from './areas/metrics/metrics.ts'
import { createConnectorSources, createMetricSources } from './areas/metrics/metric-sources.ts'
import { RetentionClock } from './areas/retention/retention-clock.ts'
import { createKeyUsageRecorder } from './access/record-key-usage.ts'
import { openConnectors } from './ingestion/connectors/open-connectors.ts'
import { openAuth } from './access/open-auth.ts'
import { openPush, pushTransition } from './delivery/open-push.ts'
import { createAlertPushStage, pushLiveTailEvents } from './delivery/alert-push-stage.ts'
import { RuleTestThread } from './areas/rules/tests/rule-test-thread.ts'
import type { RuleTestThreadOptions } from './areas/rules/tests/rule-test-thread.ts'
import { createRuleStats } from './areas/rules/rule-stats.ts'
import { createSearchRecorder } from './areas/search/tenant-search.ts'

/** What is opened before the app. */
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
  /** Origins of pages that may use the API besides those that this server serves and that of the public URL. */
  readonly allowedOrigins?: readonly string[]
  readonly externalIssuer?: ExternalIssuer
  /** What the operator decided about second factors. */
  readonly secondFactorPolicy?: SecondFactorPolicy
  /** Retention of tenants that do not set their own. */
  readonly retention?: Pick<TenantSettings, 'eventsRetentionDays' | 'alertsRetentionDays' | 'auditRetentionDays'>
  /** The true time as the operator stated it: the clock may be as far ahead of the last run as this is. */
  readonly trustedAt?: number | undefined
  /** The bearer token with which monitoring reads all metrics. */
  readonly scrapeToken?: string
  readonly scrypt?: ScryptParameters
  /** The guarded HTTP client for connectors. */
  readonly egress: Egress
  /** How connectors sleep; tests inject their own. */
  readonly sleep?: ConnectorDeps['sleep']
  /** Pipeline callbacks and waiting, replaced in tests. */
  readonly pipeline?: Pick<PipelineOptions, 'onAlerts' | 'onFailure' | 'onDiskFull' | 'pause' | 'checkpointMs'>
  /** How costly rule tests run; default: in a worker thread. */
  readonly ruleTests?: RuleTestThreadOptions
  /** Counts what concerns the whole server; default: a new one. */
  readonly monitor?: ServerMonitor
  readonly io: Runtime
  readonly log: Log
}

/**
 * Builds the dependencies of the use cases: compiles the built-in rules, loads the tenants' changes, and opens the pipeline,
 * which resumes where it stopped. A rule that does not compile is logged with its first problem.
 */
export async function openApp(options: AppOptions): Promise<App> {
  const { sources, state, events, keys, publicUrl, externalIssuer, secondFactorPolicy, scrapeToken, scrypt } = options
  const { egress, sleep, monitor, io, log, turns = new FairTurns() } = options
  const library = compileBuiltinRules(sources, io.now())
  logReports(log, library)
  const meter = new Meter(io)
  const measure = createInstruments(meter)
  const enricher = createEnricher({ stores: state, elapsedMs: io.elapsedMs, onEnriched: measure.enriched })
  const ruleBooks: RuleRegistry = new RuleRegistry({
    library,
    loadStoredRules: state.rules.list,
    useRules: (tenant, rules, store) => pipeline.useRules(tenant, rules, store),
    now: io.now,
    onBroken: (tenant, broken) => {
      for (const { rule: { id, title }, problem } of broken) {
        log.warn('a stored rule cannot run', { tenant, id, title, problem })
      }
    },
  })
  const bus = createMeteredBus(options.bus, meter)
  const issuerName = publicUrl === '' ? 'tripline' : publicUrl
  const identity = await openAuth({
    stores: state, keys, issuerName, externalIssuer, ...(secondFactorPolicy && { secondFactorPolicy }), ...(scrypt && { scrypt }), io,
  })
  const limiter = createConsoleLimiter()
  const allowedOrigins = [...(publicUrl === '' ? [] : [new URL(publicUrl).origin]), ...options.allowedOrigins ?? []]
  const trail = new AuditAggregator({ state, clock: io, log })
  const push = openPush({
    authenticationDeps: { authentication: identity, limiter, clock: io }, state, trail, allowedOrigins, io, log,
    getLiveMetrics: (tenant) => getLiveMetrics({ metrics }, tenant),
  })
  const pipeline = await openPipeline({
    onAlerts: createAlertPushStage(push.hub),
    onStored: (tenant, stored) => pushLiveTailEvents({ hub: push.hub, keys }, tenant, stored),
    takeTurn: (stage) => turns.next(stage),
    ...options.pipeline,
    bus, events, state, instruments: measure, io, log,
    loadRules: async (tenant) => {
      const { running: ruleSet, versions } = await ruleBooks.get(tenant)
      return { ruleSet, versions }
    },
    enrich: createMatchEnricher(enricher),
  })
  const measured = createPipelineSources({
    pipeline, ruleCosts: pipeline.ruleCosts,
    ruleIds: async (tenant) => (await ruleBooks.get(tenant)).rules.map(({ rule }) => rule.id),
  })
  const retentionClock = new RetentionClock(io, options.trustedAt)
  const metricsFrom = createMetricSources({
    state, ruleBooks, pipeline: measured, connectors: createConnectorSources(state.connectors),
    getClockProblem: () => retentionClock.problem,
    countStored: async (tenant) => (await events.stats(tenant)).eventCount,
    getDamage: (tenant) => events.getDamage(tenant),
    pushConnections: (tenant) => push.hub.connectionCount(tenant),
  })
  const metrics = await openMetrics({ meter, state, sources: metricsFrom, clock: io, log, ...(monitor && { monitor }) })
  const connectors = openConnectors({
    state, keys, egress, io, log, ...(sleep && { sleep }),
    ingest: (tenant, connectorId, polled) => ingestPolledEvents(pipeline, { tenant, connectorId }, polled),
    onArrival: measure.received,
    onTransition: (transition) => pushTransition(push, transition),
  })
  return {
    state, trail, enricher, metrics, keys, identity, authentication: identity, apiKeys: state.apiKeys, scrapeToken,
    limiter, log, settingDefaults: { ...settingDefaults, ...options.retention },
    publicUrl, isPublicOverTls: publicUrl.startsWith('https:'), connectors,
    recordKeyUsage: createKeyUsageRecorder({ apiKeys: state.apiKeys, clock: io, log }),
    retentionClock, ruleBooks, activity: createRuleStats({ pipeline, metrics }), pipeline, events, push,
    turns, backtests: new BacktestLimiter(),
    costlyRules: { ruleTests: new RuleTestThread(options.ruleTests), costlyChanges: new CostlyChangeLimiter(io) },
    recordSearch: createSearchRecorder({ state, clock: io, log }), clock: io, randomBytes: io.randomBytes,
  }
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
