import type { EventStore } from '@tripline/storage/events/event-store'
import type { RateLimiter } from '../../access/rate-limiter.ts'
import type { TenantSettings } from '../../model/tenant-settings.ts'
import type { Enricher } from '../../detection/enrichment/enricher.ts'
import type { Log } from '../../runtime/log.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import type { FairTurns } from '../../fairness/fair-turns.ts'
import type { Pipeline } from '../../detection/pipeline/pipeline.ts'
import type { RuleRegistry } from '../../detection/rules/rule-registry.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { InstallationKeys } from '../../state/installation-keys.ts'
import type { StateStore } from '../../state/ports/state-store.ts'
import type { AuditAggregator } from './audit-aggregator.ts'
import type { AuthenticationDeps } from '../../access/authenticate-request.ts'
import type { BacktestLimiter } from '../rules/backtests/backtest-limiter.ts'
import type { CostlyChangeLimiter } from '../rules/tests/costly-change-limiter.ts'
import type { AuthService } from '../../access/open-auth.ts'
import type { Connectors } from '../../ingestion/connectors/open-connectors.ts'
import type { LivePush } from '../../delivery/open-push.ts'
import type { RetentionClock } from '../retention/retention-clock.ts'
import type { RuleTestThread } from '../rules/tests/rule-test-thread.ts'
import type { RuleStats } from '../rules/rule-stats.ts'
import type { RecordSearch } from '../search/tenant-search.ts'

/** Dependencies of the use cases; `openApp` builds them. */
export type App = AuthenticationDeps & {
  readonly state: StateStore
  /** Records actions that may repeat many times. */
  readonly trail: AuditAggregator
  readonly enricher: Enricher
  readonly metrics: Metrics
  readonly identity: AuthService
  readonly keys: InstallationKeys
  readonly limiter: RateLimiter<'user' | 'tenant'>
  /** Settings of tenants that do not set their own. */
  readonly settingDefaults: TenantSettings
  /** The public URL of the server without a trailing slash; empty if not configured. */
  readonly publicUrl: string
  /** Whether the public URL uses TLS, so that cookies can be marked secure. */
  readonly isPublicOverTls: boolean
  readonly ruleBooks: RuleRegistry
  readonly activity: RuleStats
  /** Processes events from ingest to alerts. */
  readonly pipeline: Pipeline
  /** Stored events. */
  readonly events: EventStore
  readonly retentionClock: RetentionClock
  readonly connectors: Connectors
  readonly push: LivePush
  /** Shares the event loop among tenants. */
  readonly turns: FairTurns
  readonly backtests: BacktestLimiter
  readonly costlyRules: { readonly ruleTests: RuleTestThread; readonly costlyChanges: CostlyChangeLimiter }
  readonly recordSearch: RecordSearch
  readonly clock: Pick<Runtime, 'now' | 'elapsedMs'>
  /** For problems that no response can report. */
  readonly log: Log
  readonly randomBytes: Runtime['randomBytes']
}
