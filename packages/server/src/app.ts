import type { Log } from '@tripline/common/log'
import type { Runtime } from '@tripline/common/runtime'
import type { SightingCollector } from '@tripline/detection/assets/sighting-collector'
import type { NameCollector } from '@tripline/detection/observations/name-collector'
import type { Enricher } from '@tripline/detection/enrichment/enricher'
import type { FairTurns } from '@tripline/detection/fairness/fair-turns'
import type { PipelineOptions } from '@tripline/detection/pipeline/open-pipeline'
import type { Pipeline } from '@tripline/detection/pipeline/pipeline'
import type { RuleRegistry } from '@tripline/detection/rules/rule-registry'
import type { RuleSource } from '@tripline/engine'
import type { AuditRecorder } from '@tripline/model/audit'
import type { TenantSettings } from '@tripline/model/tenant-settings'
import type { InstallationKeys } from '@tripline/state/installation-keys'
import type { ScheduledJob } from '@tripline/state/ports/job-store'
import type { StateStore } from '@tripline/state/ports/state-store'
import type { Bus } from '@tripline/storage/bus/bus'
import type { EventStore } from '@tripline/storage/events/event-store'
import type { ScryptParameters } from './access/login/password.ts'
import type { AuthService } from './access/open-auth.ts'
import type { SecondFactorPolicy } from './access/second-factor.ts'
import type { ExternalIssuer } from './access/tokens/external-issuer.ts'
import type { RetentionClock } from './retention/retention-clock.ts'
import type { BacktestRunner } from './areas/rules/backtests/backtest-runner.ts'
import type { RuleStats } from './areas/rules/rule-stats.ts'
import type { CostlyRules } from './areas/rules/tests/check-costly-definition.ts'
import type { RuleTestThread } from './areas/rules/tests/rule-test-thread.ts'
import type { RuleTestThreadOptions } from './areas/rules/tests/rule-test-thread.ts'
import type { CollectorWatch } from './collectors/collector-watch.ts'
import type { LivePush } from './delivery/open-push.ts'
import type { OutboxReader } from './delivery/outbox/outbox-reader.ts'
import type { Channels } from './channels/open-channels.ts'
import type { Webhooks } from './delivery/webhooks/open-webhooks.ts'
import type { OpenedEgress } from './egress/egress.ts'
import type { Readiness } from './http/health.ts'
import type { ExposureWatch } from './exposures/exposure-watch.ts'
import type { HttpDeps } from './http/http.ts'
import type { ErasureRunner } from './erasure/erasure-runner.ts'
import type { FailureIndex } from './failures/failure-index.ts'
import type { EvidenceCollector } from './compliance/evidence-collector.ts'
import type { ReportMaker } from './reports/report-maker.ts'
import type { ReportPrinter } from './reports/report-printer.ts'
import type { PlaybookRunner } from './playbooks/run-playbooks.ts'
import type { ConnectorDeps } from './ingestion/connectors/connector-deps.ts'
import type { SyslogPlaces } from './ingestion/syslog/syslog-listeners.ts'
import type { Connectors } from './ingestion/connectors/open-connectors.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { OverviewDeps } from './overview/overview.ts'
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
  readonly trail: AuditRecorder & { readonly flush: () => Promise<void> }
  readonly readiness: Readiness
  /** The bearer token with which monitoring reads all metrics. */
  readonly scrapeToken?: string
  readonly scrypt?: ScryptParameters
  /** The guarded HTTP client for connectors. */
  readonly egress: OpenedEgress
  /** Where connectors may listen for syslog; default: nowhere. */
  readonly syslog?: SyslogPlaces
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
export type App = OpenedParts & {
  /** The routes of all areas, and what surrounds them. */
  readonly http: HttpDeps
}

/** What the routes of the areas call. */
export type OpenedParts = {
  readonly detection: Detection
  readonly identity: AuthService
  readonly metrics: Metrics
  readonly connectors: Connectors & { readonly collectorWatch: CollectorWatch }
  readonly delivery: Delivery
}

/** The way of domain events to clients and webhooks, and what works on its own beside requests. */
export type Delivery = {
  readonly push: LivePush
  readonly webhooks: Webhooks
  readonly channels: Channels
  readonly outbox: OutboxReader
  /** Carries out the runs of playbooks. */
  readonly playbookRunner: PlaybookRunner
  /** Assesses tenants by what the platform measures. */
  readonly evidence: EvidenceCollector
  /** What the pipeline could not handle. */
  readonly failures: FailureIndex
  /** Runs backtests beside requests. */
  readonly backtests: BacktestRunner
  /** Erases the data of persons. */
  readonly erasures: ErasureRunner
  /** Makes reports that are kept, prints those of one request, what their figures are read of, and the job that begins what is due. */
  readonly reports: {
    readonly maker: ReportMaker
    readonly printer: ReportPrinter
    readonly overview: OverviewDeps
    readonly schedules: ScheduledJob
  }
}

/** Rules, and the way of events from ingest to alerts. */
export type Detection = {
  readonly pipeline: Pipeline
  readonly ruleBooks: RuleRegistry
  readonly activity: RuleStats
  readonly enricher: Enricher
  readonly sightings: SightingCollector
  readonly names: NameCollector
  readonly exposureWatch: ExposureWatch
  readonly costlyRules: CostlyRules & { readonly ruleTests: RuleTestThread }
}

/** The options with what stands for those that may be left out. */
export type CompleteAppOptions = AppOptions & Required<Pick<AppOptions, 'turns' | 'settingDefaults' | 'isPublicOverTls'>>
