import type { RateLimiter } from '../auth/rate-limiter.ts'
import type { Enricher } from '../enrichment/enricher.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { EventStore } from '../events/event-store.ts'
import type { IdWindow } from '../ingest/id-window.ts'
import type { Io } from '../io.ts'
import type { MeasureWork } from '../metrics/measure-work.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Detection } from '../pipeline/detect.ts'
import type { StageCounts } from '../pipeline/stage-counts.ts'
import type { RuleBooks } from '../rules/rule-books.ts'
import type { InstallationKeys } from '../store/installation-keys.ts'
import type { StateStore } from '../store/state-store.ts'
import type { BacktestTurns } from './backtest-turns.ts'
import type { BodyBudget } from './body-budget.ts'
import type { Connectors } from './open-connectors.ts'
import type { Identity } from './open-identity.ts'
import type { RuleActivity } from './rule-activity.ts'
import type { WhoAsksApp } from './who-asks.ts'

/** What the use cases work with; `openApp` builds it. */
export type App = WhoAsksApp & {
  readonly state: StateStore
  readonly enricher: Enricher
  readonly metrics: Metrics
  /** Whoever does work says so here. */
  readonly measure: MeasureWork
  readonly identity: Identity
  readonly keys: InstallationKeys
  readonly limiter: RateLimiter<'user' | 'tenant'>
  /** Where users reach the server, without a slash at its end; empty where nobody said. */
  readonly publicUrl: string
  /** Whether users reach the server over TLS, so that cookies may insist on it. */
  readonly isPublicOverTls: boolean
  readonly ruleBooks: RuleBooks
  readonly activity: RuleActivity
  /** Events at rest; undefined where none are kept. */
  readonly events: EventStore | undefined
  readonly streams: ReadonlyMap<TenantId, Stream>
  readonly connectors: Connectors
  readonly bodies: BodyBudget
  readonly backtests: BacktestTurns
  readonly clock: Pick<Io, 'now' | 'elapsedMs'>
  readonly randomBytes: Io['randomBytes']
}

/** A tenant's stream of events: where it stands and what runs on it. */
export type Stream = {
  readonly detection: Detection
  readonly recentIds: IdWindow
  readonly counts: StageCounts
  /** The offset that the next accepted event gets. */
  nextOffset: number
}

/** @throws Error for a tenant that the server was not opened with. */
export function streamOf({ streams }: App, tenant: TenantId): Stream {
  const stream = streams.get(tenant)
  if (stream === undefined) throw new Error(`there is no stream for tenant '${tenant}'`)
  return stream
}
