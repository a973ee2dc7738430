import { RuleSet, compileRules } from '@tripline/engine'
import type { RuleReport, RuleSource } from '@tripline/engine'
import type { ExternalIssuer } from '../auth/external-issuer.ts'
import type { ScryptParameters } from '../auth/password.ts'
import { consoleLimiter } from '../auth/rate-limiter.ts'
import { builtinRule } from '../domain/rule.ts'
import { onlyTenant } from '../domain/tenant.ts'
import { createEnricher } from '../enrichment/enricher.ts'
import { IdWindow } from '../ingest/id-window.ts'
import type { Io } from '../io.ts'
import { limits } from '../limits.ts'
import type { Log } from '../log.ts'
import { measureWork } from '../metrics/measure-work.ts'
import { Meter } from '../metrics/meter.ts'
import { openMetrics } from '../metrics/metrics.ts'
import { Detection } from '../pipeline/detect.ts'
import { StageCounts } from '../pipeline/stage-counts.ts'
import type { InstallationKeys } from '../store/installation-keys.ts'
import { memoryMatches } from '../store/memory-matches.ts'
import { memoryRules } from '../store/memory-rules.ts'
import type { StateStore } from '../store/state-store.ts'
import type { App } from './app.ts'
import { BodyBudget } from './body-budget.ts'
import { metricSources, streamSources } from './metric-sources.ts'
import { keyUseNotes } from './note-key-use.ts'
import { openIdentity } from './open-identity.ts'

/** What is opened before the app. */
export type AppOptions = {
  readonly sources: readonly RuleSource[]
  readonly state: StateStore
  readonly keys: InstallationKeys
  /** Where users reach the server, such as `https://tripline.example`; empty where nobody said. */
  readonly publicUrl: string
  readonly externalIssuer?: ExternalIssuer
  /** The secret with which monitoring reads all metrics. */
  readonly scrapeToken?: string
  readonly scrypt?: ScryptParameters
  readonly io: Io
  readonly log: Log
}

/**
 * Builds what the use cases work with: compiles the rules, stores those that compiled, and starts detection
 * with those of them that are enabled. A rule that did not compile is logged with its first problem.
 */
export async function openApp(options: AppOptions): Promise<App> {
  const { sources, state, keys, publicUrl, externalIssuer, scrapeToken, scrypt, io, log } = options
  const { ruleSet, reports } = compileRules(sources)
  const texts = new Map(sources.map(({ path, text }) => [path, text]))
  const createdAt = io.now()
  const stored = [...ruleSet.rules, ...ruleSet.correlations].map((rule) => {
    return builtinRule(rule, { definition: texts.get(rule.path) ?? '', createdAt })
  })
  const rules = memoryRules()
  await rules.put(onlyTenant, stored)
  const enabled = new Set(stored.filter(({ isEnabled }) => isEnabled).map(({ id }) => id))
  logReports(log, reports, enabled.size)

  const matches = memoryMatches()
  const detection = new Detection({
    tenant: onlyTenant,
    ruleSet: new RuleSet(ruleSet.rules.filter(({ id }) => enabled.has(id)), {
      correlations: ruleSet.correlations.filter(({ id }) => enabled.has(id)),
      filters: ruleSet.filters,
    }),
    versions: new Map(stored.map(({ id, version }) => [id, version])),
    matches,
  })
  const recentIds = new IdWindow({ idsMax: limits.ingest.idsRememberedMax, windowMs: limits.ingest.idsRememberedMs })
  const streams = new Map([[onlyTenant, { detection, ruleSet, recentIds, counts: new StageCounts(), nextOffset: 0 }]])
  const issuerName = publicUrl === '' ? 'tripline' : publicUrl
  const identity = await openIdentity({ stores: state, keys, issuerName, externalIssuer, ...(scrypt && { scrypt }), io })
  const meter = new Meter(io)
  const measure = measureWork(meter)
  const enricher = createEnricher({ stores: state, elapsedMs: io.elapsedMs, measure: measure.enriched })
  const metricsFrom = metricSources({ state, rules, pipeline: streamSources(streams) })
  const metrics = await openMetrics({ meter, state, sources: metricsFrom, clock: io, log })
  return {
    state, enricher, metrics, measure, keys, identity, authentication: identity, apiKeys: state.apiKeys, scrapeToken,
    limiter: consoleLimiter(), isPublicOverTls: publicUrl.startsWith('https:'),
    noteKeyUse: keyUseNotes({ apiKeys: state.apiKeys, clock: io, log }),
    rules, matches, streams, bodies: new BodyBudget(), clock: io, randomBytes: io.randomBytes,
  }
}

function logReports(log: Log, reports: readonly RuleReport[], enabledCount: number): void {
  for (const { path, title, verdict, diagnostics } of reports) {
    if (verdict === 'compiled') continue
    const problem = diagnostics.find(({ kind }) => kind !== 'lint')
    const { code, message, line } = problem ?? {}
    log.warn('a rule is not loaded', { path, title, verdict, code, problem: message, line })
  }
  const compiled = reports.filter(({ verdict }) => verdict === 'compiled').length
  log.info('rules loaded', { compiled, enabled: enabledCount, not_loaded: reports.length - compiled })
}
