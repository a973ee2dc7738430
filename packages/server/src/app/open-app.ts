import type { RuleSource } from '@tripline/engine'
import type { ExternalIssuer } from '../auth/external-issuer.ts'
import type { ScryptParameters } from '../auth/password.ts'
import { consoleLimiter } from '../auth/rate-limiter.ts'
import type { ConnectorRoom } from '../connectors/connector-runner.ts'
import { isRunning } from '../domain/rule.ts'
import { onlyTenant } from '../domain/tenant.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { Egress } from '../egress/egress.ts'
import { createEnricher } from '../enrichment/enricher.ts'
import type { EventStore } from '../events/event-store.ts'
import { IdWindow } from '../ingest/id-window.ts'
import type { Io } from '../io.ts'
import { limits } from '../limits.ts'
import type { Log } from '../log.ts'
import { measureWork } from '../metrics/measure-work.ts'
import { Meter } from '../metrics/meter.ts'
import { openMetrics } from '../metrics/metrics.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { Detection } from '../pipeline/detect.ts'
import { StageCounts } from '../pipeline/stage-counts.ts'
import { RuleBooks } from '../rules/rule-books.ts'
import { openRuleLibrary } from '../rules/rule-library.ts'
import type { RuleLibrary } from '../rules/rule-library.ts'
import type { InstallationKeys } from '../store/installation-keys.ts'
import type { StateStore } from '../store/state-store.ts'
import { alertingMatches } from './alerting-matches.ts'
import type { App, Stream } from './app.ts'
import { BacktestTurns } from './backtest-turns.ts'
import { BodyBudget } from './body-budget.ts'
import { ingestPolled } from './ingest.ts'
import { connectorSources, metricSources, streamSources } from './metric-sources.ts'
import { keyUseNotes } from './note-key-use.ts'
import { openConnectors } from './open-connectors.ts'
import { openIdentity } from './open-identity.ts'
import type { RuleActivity } from './rule-activity.ts'

/** What is opened before the app. */
export type AppOptions = {
  readonly sources: readonly RuleSource[]
  readonly state: StateStore
  /** Events at rest, for backtests; without it there are none. */
  readonly events?: EventStore
  readonly keys: InstallationKeys
  /** Where users reach the server, such as `https://tripline.example`; empty where nobody said. */
  readonly publicUrl: string
  readonly externalIssuer?: ExternalIssuer
  /** The secret with which monitoring reads all metrics. */
  readonly scrapeToken?: string
  readonly scrypt?: ScryptParameters
  /** The way out for what connectors ask, and how they wait. */
  readonly egress: Egress
  readonly sleep?: ConnectorRoom['sleep']
  /** Told of each connector that became another. */
  readonly onConnectorTransition?: ConnectorRoom['onTransition']
  readonly io: Io
  readonly log: Log
}

/**
 * Builds what the use cases work with: compiles the rules that come with the server, reads what tenants changed of them,
 * and starts detection. A rule that did not compile is logged with its first problem.
 */
export async function openApp(options: AppOptions): Promise<App> {
  const { sources, state, events, keys, publicUrl, externalIssuer, scrapeToken, scrypt, egress, sleep, io, log } = options
  const { onConnectorTransition = () => {} } = options
  const library = openRuleLibrary(sources, io.now())
  logReports(log, library)
  const streams = new Map<TenantId, Stream>()
  const ruleBooks = new RuleBooks({
    library,
    storedRules: state.rules.list,
    useRules: async (tenant, { ruleSet, versions }, store) => {
      await store()
      const stream = streams.get(tenant)
      stream?.detection.useRules(ruleSet, versions)
      return { effectiveFromOffset: stream?.nextOffset ?? 0 }
    },
    now: io.now,
    onBroken: (tenant, broken) => {
      for (const { rule: { id, title }, problem } of broken) {
        log.warn('a stored rule does not run', { tenant, id, title, problem })
      }
    },
  })
  const matches = alertingMatches(ruleBooks, state.alerts)
  const { running, versions } = await ruleBooks.of(onlyTenant)
  const detection = new Detection({ tenant: onlyTenant, ruleSet: running, versions, matches })
  const recentIds = new IdWindow({ idsMax: limits.ingest.idsRememberedMax, windowMs: limits.ingest.idsRememberedMs })
  streams.set(onlyTenant, { detection, recentIds, counts: new StageCounts(), nextOffset: 0 })
  const issuerName = publicUrl === '' ? 'tripline' : publicUrl
  const identity = await openIdentity({ stores: state, keys, issuerName, externalIssuer, ...(scrypt && { scrypt }), io })
  const meter = new Meter(io)
  const measure = measureWork(meter)
  const enricher = createEnricher({ stores: state, elapsedMs: io.elapsedMs, measure: measure.enriched })
  const pipeline = streamSources(streams)
  const metricsFrom = metricSources({ state, ruleBooks, pipeline, connectors: connectorSources(state.connectors) })
  const metrics = await openMetrics({ meter, state, sources: metricsFrom, clock: io, log })
  const connectors = openConnectors({
    state, keys, egress, io, log, ...(sleep && { sleep }),
    take: (tenant, _connectorId, events) => ingestPolled(app, tenant, events),
    onArrival: measure.received,
    onTransition: onConnectorTransition,
  })
  const app: App = {
    state, enricher, metrics, measure, keys, identity, authentication: identity, apiKeys: state.apiKeys, scrapeToken,
    limiter: consoleLimiter(), publicUrl, isPublicOverTls: publicUrl.startsWith('https:'), connectors,
    noteKeyUse: keyUseNotes({ apiKeys: state.apiKeys, clock: io, log }),
    ruleBooks, activity: activityOf(streams, { metrics, io }), events, streams,
    bodies: new BodyBudget(), backtests: new BacktestTurns(), clock: io, randomBytes: io.randomBytes,
  }
  return app
}

/** What rules have done, as the engines of streams count it since they were started. */
function activityOf(
  streams: ReadonlyMap<TenantId, Stream>, { metrics, io: { now } }: { readonly metrics: Metrics; readonly io: Io },
): RuleActivity {
  const none = { evaluations: 0, matches: 0 }
  return {
    totalsOf: (tenant, ruleId) => streams.get(tenant)?.detection.totalsOf(ruleId) ?? none,
    lastDayOf: (tenant, ruleId) => streams.get(tenant)?.detection.lastDayOf(ruleId, now()) ?? none,
    healthOf: (tenant) => streams.get(tenant)?.detection.health() ?? new Map(),
    costOf: (tenant, ruleId) => metrics.costs.costOf(tenant, ruleId),
  }
}

function logReports(log: Log, { reports, rules }: RuleLibrary): void {
  for (const { path, title, verdict, diagnostics } of reports) {
    if (verdict === 'compiled') continue
    const problem = diagnostics.find(({ kind }) => kind !== 'lint')
    const { code, message, line } = problem ?? {}
    log.warn('a rule is not loaded', { path, title, verdict, code, problem: message, line })
  }
  const compiled = reports.filter(({ verdict }) => verdict === 'compiled').length
  const enabledCount = [...rules.values()].filter(({ rule }) => isRunning(rule)).length
  log.info('rules loaded', { compiled, enabled: enabledCount, not_loaded: reports.length - compiled })
}
