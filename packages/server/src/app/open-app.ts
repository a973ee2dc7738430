import { RuleSet, compileRules } from '@tripline/engine'
import type { RuleReport, RuleSource } from '@tripline/engine'
import type { ExternalIssuer } from '../auth/external-issuer.ts'
import type { ScryptParameters } from '../auth/password.ts'
import { consoleLimiter } from '../auth/rate-limiter.ts'
import type { Bus } from '../bus/bus.ts'
import { builtinRule } from '../domain/rule.ts'
import type { Rule } from '../domain/rule.ts'
import { createEnricher } from '../enrichment/enricher.ts'
import type { EnricherOptions } from '../enrichment/enricher.ts'
import type { EventStore } from '../events/event-store.ts'
import type { Io } from '../io.ts'
import type { Log } from '../log.ts'
import { openPipeline } from '../pipeline/pipeline.ts'
import type { PipelineOptions } from '../pipeline/pipeline.ts'
import type { Handled } from '../pipeline/stage.ts'
import type { InstallationKeys } from '../store/installation-keys.ts'
import type { StateStore } from '../store/state-store.ts'
import type { App } from './app.ts'
import { BodyBudget } from './body-budget.ts'
import { enrichMatches } from './enrich-matches.ts'
import { openIdentity } from './open-identity.ts'

/** What is opened before the app. */
export type AppOptions = {
  readonly sources: readonly RuleSource[]
  readonly state: StateStore
  readonly bus: Bus
  /** Events at rest. */
  readonly events: EventStore
  readonly keys: InstallationKeys
  /** Where users reach the server, such as `https://tripline.example`; empty where nobody said. */
  readonly publicUrl: string
  readonly externalIssuer?: ExternalIssuer
  readonly scrypt?: ScryptParameters
  /** Told of each alert that was enriched. */
  readonly measureEnrichment?: EnricherOptions['measure']
  /** Told of alerts, of events that are stored, and of an end that nobody asked for; how often it keeps what it knows. */
  readonly pipeline?: Pick<PipelineOptions, 'onAlerts' | 'onStored' | 'onFailure' | 'checkpointMs'>
  readonly io: Io
  readonly log: Log
}

/**
 * Builds what the use cases work with: compiles the rules, and opens the pipeline, which runs those of them that are
 * enabled for every tenant and goes on where it was. A rule that did not compile is logged with its first problem.
 */
export async function openApp(options: AppOptions): Promise<App> {
  const { sources, state, bus, events, keys, publicUrl, externalIssuer, scrypt, measureEnrichment = () => {}, io, log } = options
  const { ruleSet, reports } = compileRules(sources)
  const texts = new Map(sources.map(({ path, text }) => [path, text]))
  const createdAt = io.now()
  const stored = [...ruleSet.rules, ...ruleSet.correlations].map((rule) => {
    return builtinRule(rule, { definition: texts.get(rule.path) ?? '', createdAt })
  })
  const enabled = new Set(stored.filter(({ isEnabled }) => isEnabled).map(({ id }) => id))
  logReports(log, reports, enabled.size)

  const running = {
    ruleSet: new RuleSet(ruleSet.rules.filter(({ id }) => enabled.has(id)), {
      correlations: ruleSet.correlations.filter(({ id }) => enabled.has(id)),
      filters: ruleSet.filters,
    }),
    versions: new Map(stored.map(({ id, version }) => [id, version])),
  }
  const issuerName = publicUrl === '' ? 'tripline' : publicUrl
  const identity = await openIdentity({ stores: state, keys, issuerName, externalIssuer, ...(scrypt && { scrypt }), io })
  const enricher = createEnricher({ stores: state, elapsedMs: io.elapsedMs, measure: measureEnrichment })
  const pipeline = await openPipeline({
    onAlerts: tellNobody, ...options.pipeline,
    bus, events, state, io, log, rulesOf: async () => running, enrich: enrichMatches(enricher),
  })
  return {
    state, enricher, keys, identity, authentication: identity, apiKeys: state.apiKeys, limiter: consoleLimiter(),
    isPublicOverTls: publicUrl.startsWith('https:'),
    rules: libraryOf(stored), ruleSet, pipeline, events, bodies: new BodyBudget(), clock: io, randomBytes: io.randomBytes,
  }
}

/** Alerts that nobody listens for are done. */
async function tellNobody(): Promise<Handled> {
  return { outputs: [] }
}

/** The rules that came with the server, which all tenants share. */
function libraryOf(rules: readonly Rule[]): App['rules'] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]))
  const sorted = [...rules].sort((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)))
  return { list: async () => sorted, get: async (_tenant, id) => byId.get(id) }
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
