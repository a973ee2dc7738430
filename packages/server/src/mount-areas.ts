import type { CompleteAppOptions, OpenedParts } from './app.ts'
import { createIntegrationWindows } from './access/authenticate-integration.ts'
import type { RateLimiter } from './access/rate-limiter.ts'
import { createKeyUsageRecorder } from './access/record-key-usage.ts'
import { alertContextRoutes } from './areas/alert-context/alert-context-routes.ts'
import { alertRoutes } from './areas/alerts/alert-routes.ts'
import { createAlertListParameters } from './areas/alerts/alert-selection.ts'
import { apiKeyRoutes } from './areas/api-keys/api-key-routes.ts'
import { auditRoutes } from './areas/audit/audit-routes.ts'
import { changeRoutes } from './areas/changes/change-routes.ts'
import { collectorRoutes } from './areas/collectors/collector-routes.ts'
import { connectorRoutes } from './areas/connectors/connector-routes.ts'
import { printConnector } from './areas/connectors/connector-view.ts'
import { listConnectors } from './areas/connectors/connectors.ts'
import { assetActivityRoutes } from './areas/assets/asset-activity-routes.ts'
import { findingRoutes } from './areas/assets/finding-routes.ts'
import { assetRoutes, createAssetListParameters } from './areas/enrichment/asset-routes.ts'
import { incidentListParameters, incidentRoutes } from './areas/incidents/incident-routes.ts'
import { exportRoutes } from './areas/exports/export-routes.ts'
import { openRisks } from './risk/entity-risks.ts'
import { RunningExports } from './areas/exports/running-exports.ts'
import { identityRoutes } from './areas/enrichment/identity-routes.ts'
import { indicatorRoutes } from './areas/enrichment/indicator-routes.ts'
import { subdomainRoutes } from './areas/enrichment/subdomain-routes.ts'
import { failureRoutes } from './areas/failures/failure-routes.ts'
import { erasureRoutes } from './areas/requests/erasure-routes.ts'
import { dataSubjectRequestRoutes } from './areas/requests/data-subject-request-routes.ts'
import { ingestRoutes } from './areas/ingest/ingest-routes.ts'
import { answerElasticRoot, protocolRoutes } from './areas/ingest/protocols/protocol-routes.ts'
import { overviewRoutes } from './areas/overview/overview-routes.ts'
import { limitRoutes } from './areas/limits/limit-routes.ts'
import { getDetectionMetrics, getPipelineMetrics, getSystemHealth } from './areas/metrics/metrics.ts'
import { pipelineRoutes } from './areas/metrics/pipeline-routes.ts'
import { printDetectionMetrics, printPipelineMetrics, printSystemHealth } from './areas/metrics/pipeline-view.ts'
import { prometheusRoutes } from './areas/metrics/prometheus-routes.ts'
import { SelfTester } from './areas/support/self-test.ts'
import { healthDetailRoutes } from './areas/support/health-detail-routes.ts'
import { selfTestRoutes } from './areas/support/self-test-routes.ts'
import { supportRoutes } from './areas/support/support-routes.ts'
import { profileRoutes } from './areas/profile/profile-routes.ts'
import { pushRoutes } from './areas/push/push-routes.ts'
import { BacktestLimiter } from './areas/rules/backtests/backtest-limiter.ts'
import { backtestJobRoutes } from './areas/rules/backtests/backtest-job-routes.ts'
import { backtestRoutes } from './areas/rules/backtests/backtest-routes.ts'
import { coverageRoutes } from './areas/rules/attack/coverage-routes.ts'
import { riskRoutes } from './areas/risk/risk-routes.ts'
import { exceptionPreviewRoutes } from './areas/rules/exceptions/exception-preview-routes.ts'
import { rulePipelineRoutes } from './areas/rules/pipelines/rule-pipeline-routes.ts'
import { ruleChangeRoutes } from './areas/rules/rule-change-routes.ts'
import { createRuleScan } from './areas/rules/rule-list.ts'
import { ruleMatchRoutes } from './areas/rules/rule-match-routes.ts'
import { ruleListParameters, ruleRoutes } from './areas/rules/rule-routes.ts'
import { createConditionFinder } from './areas/rules/tests/find-matched-conditions.ts'
import { createSlaReader } from './areas/shared/sla.ts'
import { brandingRoutes } from './areas/reports/branding-routes.ts'
import { reportRoutes } from './areas/reports/report-routes.ts'
import { scheduleRoutes } from './areas/reports/schedule-routes.ts'
import { createRuleExplainer, ruleTestRoutes } from './areas/rules/tests/rule-test-routes.ts'
import { createSurroundingsReader, eventRoutes } from './areas/search/event-routes.ts'
import { createEventScan } from './areas/search/scan-events.ts'
import { createSearchRecorder } from './areas/search/search-recorder.ts'
import { searchFieldRoutes } from './areas/search/search-field-routes.ts'
import { searchEvents } from './areas/search/search-events.ts'
import { searchRoutes } from './areas/search/search-routes.ts'
import { meRoutes } from './areas/sessions/me-routes.ts'
import { provisioningRoutes } from './areas/scim/provisioning-routes.ts'
import { scimRoutes } from './areas/scim/scim-routes.ts'
import { sessionRoutes } from './areas/sessions/session-routes.ts'
import { createSignOnLimiter } from './areas/sign-on/log-in-at-provider.ts'
import { signOnRoutes } from './areas/sign-on/sign-on-routes.ts'
import { retentionRoutes } from './areas/tenants/retention-routes.ts'
import { settingsRoutes } from './areas/tenants/settings-routes.ts'
import { tenantRoutes } from './areas/tenants/tenant-routes.ts'
import { peopleRoutes } from './areas/users/people-routes.ts'
import { userRoutes } from './areas/users/user-routes.ts'
import { viewRoutes } from './areas/views/view-routes.ts'
import { channelRoutes } from './areas/channels/channel-routes.ts'
import { notificationRoutes } from './areas/channels/notification-routes.ts'
import { webhookRoutes } from './areas/webhooks/webhook-routes.ts'
import { apiDocsRoutes } from './http/api-docs.ts'
import { complianceRoutes } from './areas/compliance/compliance-routes.ts'
import { createScanStore } from './collectors/store-scans.ts'
import { mapRules } from './compliance/map-rules.ts'
import { healthRoutes } from './http/health.ts'
import type { HttpDeps } from './http/http.ts'
import { ImpatientSenders } from './ingestion/impatient-senders.ts'
import type { Route } from './http/route.ts'
import { ReceivedAnswers } from './sign-on/provider-answer.ts'
import { SamlVerifier } from './sign-on/saml-verifier.ts'
import { UsedAttempts } from './sign-on/sign-on-attempt.ts'
import { playbookRoutes } from './areas/playbooks/playbook-routes.ts'
import { openPublicRoutes } from './open-public-routes.ts'

/** Gives the routes of each area what that area states, of the opened parts of a server. */
export function mountAreas(
  options: CompleteAppOptions, { detection, identity, metrics, connectors, delivery }: OpenedParts,
  limiter: RateLimiter<'user' | 'tenant'>,
): HttpDeps {
  const { state, events, keys, publicUrl, isPublicOverTls, turns, settingDefaults, scrapeToken, readiness, trail, io: clock, log } = options
  const { pipeline, ruleBooks, activity, enricher, costlyRules } = detection
  const { push, webhooks, channels, playbookRunner, evidence, failures, backtests, erasures, reports } = delivery
  const { randomBytes } = clock
  const admin = { state, identity, clock, randomBytes }
  const collectors = { state, watch: connectors.collectorWatch, settingDefaults, clock, randomBytes, keys, trail }
  const readHost = async () => await metrics.monitor.readHost?.()
  const readSla = createSlaReader({ state, settingDefaults, clock })
  const enrichment = { state, enricher, clock, randomBytes, keys, trail }
  const progress = {
    countNotSearchable: (tenant: string) => pipeline.countNotSearchable(tenant),
    accounting: (tenant: string) => pipeline.accounting(tenant),
  }
  const search = {
    events, pipeline: { ...progress, turns }, keys, clock, trail, recordSearch: createSearchRecorder({ state, clock, log }),
  }
  const rules = createRuleScan({ state, ruleBooks, activity, clock })
  const risks = openRisks({ state, settingDefaults, clock, log })
  const exporting = { state, rules, risks, running: new RunningExports(), clock, trail }
  const compliance = {
    state, clock, randomBytes, collector: evidence, printer: reports.printer,
    mapRules: async (tenant: string) => mapRules(await ruleBooks.get(tenant)),
  }
  const storeScans = createScanStore({ state, scanner: connectors.deps.scanner, now: clock.now })
  const senders = new ImpatientSenders({ elapsedMs: () => turns.elapsedMs() })
  const intake = { pipeline, turns, connectors, storeScans, senders }
  const routes: readonly Route[] = [
    ...healthRoutes(readiness), ...limitRoutes, ...ingestRoutes(intake),
    ...sessionRoutes({ state, identity, metrics, clock, trail, isPublicOverTls }),
    ...signOnRoutes({
      state, identity, metrics, clock, trail,
      logins: {
        egress: options.egress, publicUrl, isPublicOverTls, used: new UsedAttempts(), answers: new ReceivedAnswers(),
        verifier: new SamlVerifier(), limiter: createSignOnLimiter(), randomBytes,
      },
    }),
    ...provisioningRoutes({ ...admin, publicUrl }),
    ...profileRoutes({ state, identity, settingDefaults, clock }), ...meRoutes({ ...admin, trail }),
    ...ruleRoutes({ state, ruleBooks, activity, clock, keys, trail }), ...ruleTestRoutes({ ruleBooks, costlyRules, clock }),
    ...coverageRoutes({ ruleBooks, activity }), ...ruleMatchRoutes({ state, ruleBooks, keys, clock, trail }),
    ...ruleChangeRoutes({ state, ruleBooks, activity, clock, randomBytes, costlyRules }),
    ...rulePipelineRoutes({ state, ruleBooks, costlyRules, clock, randomBytes }),
    ...backtestRoutes({ ruleBooks, events, costlyRules, limiter: new BacktestLimiter(), clock, trail }),
    ...backtestJobRoutes({ state, ruleBooks, costlyRules, clock, runner: backtests }),
    ...exceptionPreviewRoutes({ state, ruleBooks, costlyRules, clock, trail }),
    ...userRoutes(admin), ...peopleRoutes({ state }), ...viewRoutes(admin), ...apiKeyRoutes(admin),
    ...settingsRoutes({ state, clock, authentication: identity, settingDefaults }),
    ...retentionRoutes({ state, events, settingDefaults, clock, readDisk: async () => (await readHost())?.disk }),
    ...tenantRoutes({ ...admin, connectors }),
    ...connectorRoutes({ state, connectors, clock, randomBytes, trail, publicUrl }),
    ...collectorRoutes(collectors),
    ...overviewRoutes(reports.overview),
    ...changeRoutes({ state, ruleBooks, clock, startedAt: clock.now() }),
    ...alertContextRoutes(
      { state, ruleBooks, explainRule: createRuleExplainer({ ruleBooks, costlyRules, clock }), keys, clock },
      createSurroundingsReader(search),
    ),
    ...alertRoutes({ state, keys, clock, randomBytes, trail, readSla }),
    ...incidentRoutes({ state, keys, clock, randomBytes, trail, readSla }),
    ...auditRoutes({ state, keys, clock, trail }),
    ...exportRoutes(exporting, {
      scanEvents: createEventScan(search),
      own: {
        'alerts': createAlertListParameters({ state, keys }), 'incidents': incidentListParameters,
        'assets': createAssetListParameters(enrichment), 'detection-rules': ruleListParameters,
      },
    }),
    ...riskRoutes({ risks, clock, keys, trail }),
    ...playbookRoutes({ state, keys, clock, randomBytes, trail, runner: playbookRunner }),
    ...complianceRoutes(compliance), ...reportRoutes({ state, clock, randomBytes, ...reports }),
    ...brandingRoutes({ state, clock }),
    ...scheduleRoutes({ state, settingDefaults, clock, randomBytes, maker: reports.maker }),
    ...channelRoutes({ state, channels, clock, randomBytes, keys, trail }), ...notificationRoutes({ state, clock, keys, trail }),
    ...webhookRoutes({ state, webhooks, settingDefaults, clock, randomBytes, keys, trail }),
    ...searchRoutes(search), ...searchFieldRoutes(search), ...eventRoutes({ state, events, keys }, search),
    ...assetRoutes(enrichment), ...assetActivityRoutes({ ...enrichment, readSla }), ...findingRoutes(enrichment),
    ...identityRoutes(enrichment), ...indicatorRoutes(enrichment), ...subdomainRoutes(enrichment), ...dataSubjectRequestRoutes(enrichment),
    ...erasureRoutes({ state, clock, runner: erasures }),
    ...pipelineRoutes({ metrics }), ...prometheusRoutes({ metrics }), ...pushRoutes(push),
    ...failureRoutes({ failures, pipeline, clock, trail }),
    ...selfTestRoutes({
      trail,
      tester: new SelfTester({
        state, pipeline, clock,
        countFound: async (tenant, query, from) => {
          const now = clock.now()
          return (await searchEvents(events, { tenant, query, from, to: now + 1, now, limit: 1, extent: 'page' })).events.length
        },
      }),
    }),
    ...healthDetailRoutes({ clock, readHost, listSamples: () => metrics.history.samples }),
    ...supportRoutes({
      clock, trail, readHost,
      readParts: async (tenant) => ({
        health: printSystemHealth(getSystemHealth({ metrics }, tenant)),
        pipeline: printPipelineMetrics(await getPipelineMetrics({ metrics }, tenant)),
        detection: printDetectionMetrics(await getDetectionMetrics({ metrics }, tenant)),
        connectors: (await listConnectors({ state, connectors, clock, randomBytes }, tenant)).map(printConnector),
      }),
    }),
    ...apiDocsRoutes(() => routes, answerElasticRoot),
  ]
  const authentication = {
    authentication: identity, connectorSenders: { state, connectors }, limiter, scrapeToken, clock,
    apiKeys: { store: state.apiKeys, recordUsage: createKeyUsageRecorder({ apiKeys: state.apiKeys, clock, log }) },
  }
  const integration = { authentication, windows: createIntegrationWindows(), settingDefaults }
  const idempotency = { state, keys, clock, randomBytes }
  const publicApi = {
    integration, idempotency,
    routes: openPublicRoutes({
      alerts: {
        state, keys, clock, randomBytes, publicUrl, findMatchedConditions: createConditionFinder({ ruleBooks, costlyRules, clock }),
      },
      search, rules: { state, ruleBooks, activity, clock, keys }, assets: enrichment, collectors,
      incidents: { state, keys, clock, randomBytes, publicUrl }, exports: exporting, compliance,
      webhooks: { state, webhooks, settingDefaults, clock, randomBytes, keys },
    }),
  }
  const foreignRoutes = [...protocolRoutes({ ...intake, readiness }), ...scimRoutes({ ...admin, publicUrl })]
  return { routes: [...routes, ...foreignRoutes], publicApi, authentication, idempotency, trail, monitor: metrics.monitor }
}
