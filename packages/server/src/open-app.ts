import type { Log } from '@tripline/common/log'
import { sleep as pause } from '@tripline/common/sleep'
import { openSightingCollector } from '@tripline/detection/assets/sighting-collector'
import { openNameCollector } from '@tripline/detection/observations/name-collector'
import { createMatchEnricher } from '@tripline/detection/enrichment/enrich-matches'
import { createEnricher } from '@tripline/detection/enrichment/enricher'
import { FairTurns } from '@tripline/detection/fairness/fair-turns'
import { prepareRuleSet } from '@tripline/detection/fairness/prepare-rule-set'
import { openPipeline } from '@tripline/detection/pipeline/open-pipeline'
import { deadLetterTopic } from '@tripline/detection/pipeline/topics'
import { compileBuiltinRules } from '@tripline/detection/rules/builtin-rules'
import type { BuiltinRules } from '@tripline/detection/rules/builtin-rules'
import { RuleLoader, RuleRegistry } from '@tripline/detection/rules/rule-registry'
import { openSecretBox } from '@tripline/model/access/secret-box'
import { isRunning } from '@tripline/model/rule'
import { selfTestTenant } from '@tripline/model/tenant'
import { resolveSettings, settingDefaults as builtinDefaults } from '@tripline/model/tenant-settings'
import type { App, AppOptions } from './app.ts'
import { openAuth } from './access/open-auth.ts'
import { createConsoleLimiter } from './access/rate-limiter.ts'
import { createConnectorSources, createMetricSources } from './areas/metrics/metric-sources.ts'
import { getLiveMetrics } from './areas/metrics/metrics.ts'
import { BacktestRunner } from './areas/rules/backtests/backtest-runner.ts'
import { loadRewriting } from './areas/rules/pipelines/load-rewriting.ts'
import { readCoverage } from './areas/rules/attack/read-coverage.ts'
import { createRuleStats } from './areas/rules/rule-stats.ts'
import { CostlyChangeLimiter } from './areas/rules/tests/costly-change-limiter.ts'
import { RuleTestThread } from './areas/rules/tests/rule-test-thread.ts'
import { compileSelfTestRules } from './areas/support/self-test-rules.ts'
import { CollectorWatch } from './collectors/collector-watch.ts'
import { EvidenceCollector } from './compliance/evidence-collector.ts'
import { gatherState } from './compliance/gather-state.ts'
import { openPush } from './delivery/open-push.ts'
import { OutboxReader } from './delivery/outbox/outbox-reader.ts'
import { pushLiveTailEvents, pushLiveTailMatches } from './delivery/push-live-tails.ts'
import { createReportNotifier } from './channels/notify-of-report.ts'
import { createPlaybookNotifier } from './channels/notify-from-playbook.ts'
import { openChannels } from './channels/open-channels.ts'
import { createAttachmentReader } from './channels/read-attachments.ts'
import { openWebhooks } from './delivery/webhooks/open-webhooks.ts'
import { ExposureWatch } from './exposures/exposure-watch.ts'
import { createVulnerableAssetConsumer } from './exposures/vulnerable-assets.ts'
import { PlaybookRunner } from './playbooks/run-playbooks.ts'
import { createPlaybookConsumer } from './playbooks/start-playbooks.ts'
import { createGroupingConsumer } from './incidents/group-alerts.ts'
import { openConnectors } from './ingestion/connectors/open-connectors.ts'
import { createTenantDial, createTenantEgress } from './ingestion/connectors/tenant-egress.ts'
import { createFeedDeps } from './ingestion/connectors/feeds/store-items.ts'
import { createScannerDeps } from './ingestion/connectors/scanner/scanner-deps.ts'
import { NewestEvents } from './ingestion/connectors/newest-events.ts'
import { ingestPolledEvents } from './ingestion/ingest.ts'
import { createInstruments } from './metrics/instruments.ts'
import { Meter } from './metrics/meter.ts'
import { createMeteredBus } from './metrics/metered-bus.ts'
import { openMetrics } from './metrics/metrics.ts'
import { createPipelineSources } from './metrics/pipeline-sources.ts'
import { mountAreas } from './mount-areas.ts'
import type { OverviewDeps } from './overview/overview.ts'
import { defineReport } from './reports/define-report.ts'
import { ErasureRunner } from './erasure/erasure-runner.ts'
import { FailureIndex } from './failures/failure-index.ts'
import { ReportMaker } from './reports/report-maker.ts'
import { createScheduleJob } from './reports/run-schedules.ts'
import { ReportPrinter } from './reports/report-printer.ts'
import { RetentionClock } from './retention/retention-clock.ts'

/**
 * Opens a server in order, each part from those before it: compiles the built-in rules, loads the tenants' changes, opens the
 * pipeline, which resumes where it stopped, and gives each area what its routes need. A rule that does not compile is logged
 * with its first problem.
 */
export async function openApp(options: AppOptions): Promise<App> {
  const { sources, state, events, keys, publicUrl, externalIssuer, secondFactorPolicy, scrypt } = options
  const { egress, sleep, monitor, trail, io, log, turns = new FairTurns(), settingDefaults = builtinDefaults } = options
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
    loadRewriting: loadRewriting.bind(undefined, {
      state, onProblem: (tenant, { id, name }, problem) => log.warn('a rule pipeline cannot be applied', { tenant, id, name, problem }),
    }),
    now: io.now,
    onBroken: (tenant, broken) => {
      for (const { rule: { id, title }, problem } of broken) {
        log.warn('a stored rule cannot run', { tenant, id, title, problem })
      }
    },
  })
  const prepareRules = prepareRuleSet.bind(undefined, turns)
  const meter = new Meter(io)
  const measure = createInstruments(meter)
  const enricher = createEnricher({ stores: state, elapsedMs: io.elapsedMs, onEnriched: measure.enriched })
  const sightings = openSightingCollector({ state, enricher, io, turns })
  const names = openNameCollector({ state, io, turns, loadOwnDomains: async (tenant) => {
    const known = await state.tenants.get(tenant)
    return known === undefined ? [] : resolveSettings(known, settingDefaults).ownDomains
  } })
  const collectorWatch = new CollectorWatch(state, io, measure.received)
  await collectorWatch.open()
  const recent = new NewestEvents(io)
  const pipeline = await openPipeline({
    enrich: createMatchEnricher(enricher),
    onStored: (tenant, stored) => {
      sightings.add(tenant, stored)
      names.add(tenant, stored)
      collectorWatch.countStored(tenant, stored)
      recent.add(tenant, stored)
      pushLiveTailEvents({ hub: push.hub, keys }, tenant, stored)
    },
    onMatched: (tenant, matches) => pushLiveTailMatches({ hub: push.hub, keys }, tenant, matches),
    turns,
    ...options.pipeline,
    bus: createMeteredBus(options.bus, meter), events, state, instruments: measure, io, log,
    loadRules: async (tenant) => {
      if (tenant === selfTestTenant) return compileSelfTestRules()
      const { running: ruleSet, versions } = await ruleLoader.get(tenant)
      await prepareRules(tenant, ruleSet)
      return { ruleSet, versions }
    },
  })
  const ruleBooks = new RuleRegistry({ loader: ruleLoader, useRules: pipeline.useRules.bind(pipeline), prepareRules, now: io.now })

  // Changes on their way to consumers.
  const grouping = createGroupingConsumer({ state, clock: io, randomBytes: io.randomBytes, trail, settingDefaults })
  const webhooks = openWebhooks({
    state, boxKey: keys.box, egressOf: (tenant) => createTenantEgress({ egress, state }, tenant), publicUrl, sleep: pause, io, log,
    onAttempt: (tenant, outcome) => meter.count(tenant, 'webhook_attempts', { label: outcome }),
  })
  const channels = openChannels({
    state, settingDefaults, boxKey: keys.box, readAttachments: createAttachmentReader(state), publicUrl,
    networkOf: (tenant) => ({ egress: createTenantEgress({ egress, state }, tenant), dial: createTenantDial({ egress, state }, tenant) }),
    sleep: pause, io, log, onAttempt: (tenant, outcome) => meter.count(tenant, 'channel_attempts', { label: outcome }),
  })
  const playbookRunner = new PlaybookRunner({
    state, egress, clock: io, log, notify: createPlaybookNotifier(io.randomBytes),
    wakeChannel: (tenant, channelId) => channels.sender.wake(tenant, channelId, io.now()),
  })
  const playbookStarts = createPlaybookConsumer({ state, clock: io, randomBytes: io.randomBytes, trail, runner: playbookRunner })
  const vulnerableAssets = createVulnerableAssetConsumer({ state, pipeline })
  const consumers = [push.consumer, grouping, vulnerableAssets, playbookStarts, webhooks.consumer, channels.consumer]
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
    state, ruleBooks, pipeline: measured, connectors: createConnectorSources(state),
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
    state, keys, egress, io, log, ...(sleep && { sleep }), ...(options.syslog && { syslog: options.syslog }), recent,
    intake: { pipeline, turns },
    ingest: (tenant, connectorId, polled) => ingestPolledEvents(pipeline, { tenant, connectorId }, polled),
    scanner: createScannerDeps({ state, settingDefaults, enricher, io }), feeds: createFeedDeps({ state, enricher, io }),
    onArrival: measure.received,
  })

  const activity = createRuleStats({ pipeline, metrics })
  const costlyRules = { ruleTests: new RuleTestThread(options.ruleTests), costlyChanges: new CostlyChangeLimiter(io) }
  const evidence = new EvidenceCollector({
    state, clock: io, log, announce: push.announceJob,
    gather: (tenant, terms) => gatherState({
      state, settingDefaults,
      getOldestEventAt: async (tenant) => (await events.stats(tenant)).oldestAt,
      getRules: (tenant) => ruleBooks.get(tenant),
      getRuleProgress: async (tenant) => (await activity.of(tenant)).healthOf(),
    }, tenant, terms),
  })
  const overview: OverviewDeps = {
    state, metrics, settingDefaults, clock: io,
    getLastEventAt: async (tenant, { id }) =>
      connectors.traffic.get(tenant, id).lastEventAt ?? (await state.connectors.totals(tenant, id))?.lastEventAt,
  }
  const printer = new ReportPrinter()
  const maker = new ReportMaker({
    state, printer, clock: io, log,
    define: (...request) => defineReport({
      ...overview, state, readCoverage: (tenant) => readCoverage({ ruleBooks, activity }, tenant),
    }, ...request),
    delivery: {
      notify: createReportNotifier(io.randomBytes), wake: (tenant, channelId) => channels.sender.wake(tenant, channelId, io.now()),
      announce: push.announceJob,
    },
  })
  const schedules = createScheduleJob({ state, settingDefaults, maker, clock: io, log })
  const failures = new FailureIndex({ bus: options.bus, topic: deadLetterTopic })
  const backtests = new BacktestRunner({
    state, events, ruleBooks, costlyRules, log, clock: { now: io.now, elapsedMs: io.elapsedMs, sleep: pause },
  }, push.announceJob)
  const erasures = new ErasureRunner({
    state, holders: { events, ruleBooks }, queues: {
      bus: options.bus, topics: ['raw-events', 'normalized-events'], deadLetters: failures, unwritten: [sightings, names, trail],
      samples: recent, outbox,
    },
    secrets: openSecretBox(keys.box, io.randomBytes), clock: { now: io.now, sleep: pause }, log,
  })
  const parts = {
    detection: {
      pipeline, ruleBooks, activity, enricher, sightings, names, costlyRules,
      exposureWatch: new ExposureWatch({ state, pipeline, clock: io }),
    },
    identity, metrics, connectors: { ...connectors, collectorWatch },
    delivery: {
      push, webhooks, channels, outbox, playbookRunner, evidence, failures, backtests, erasures,
      reports: { maker, printer, overview, schedules },
    },
  }
  const { isPublicOverTls = publicUrl.startsWith('https:') } = options
  return { ...parts, http: mountAreas({ ...options, turns, settingDefaults, isPublicOverTls }, parts, limiter) }
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
