import type { ConnectorTransition } from '../connectors/update-health.ts'
import { alertStatusWordOf } from '../domain/alert-status.ts'
import type { Alert } from '../domain/alert.ts'
import { messageOf } from '../domain/error-message.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { Log } from '../log.ts'
import { startPush } from '../push/start-push.ts'
import type { Push } from '../push/start-push.ts'
import type { Io } from '../runtime.ts'
import type { Stores } from '../store/state-store.ts'
import type { WhoAsksApp } from './authenticate-request.ts'
import type { LiveNumbers } from './metrics.ts'
import { alertsSinceIn } from './missed-alerts.ts'
import { pushAccessOf } from './websocket-auth.ts'
import type { PushAccess } from './websocket-auth.ts'

/** Live push, and who may connect to it. */
export type LivePush = Push & {
  readonly access: PushAccess
  /** Origins of pages that may connect. */
  readonly allowedOrigins: readonly string[]
  readonly log: Pick<Log, 'error'>
}

export type LivePushOptions = {
  readonly whoAsks: Pick<WhoAsksApp, 'authentication' | 'limiter' | 'clock'>
  readonly state: Pick<Stores, 'alerts'>
  readonly liveNumbers: (tenant: TenantId) => LiveNumbers
  /** Where users reach the server; empty where nobody said, and then no page of a browser may connect. */
  readonly publicUrl: string
  readonly io: Pick<Io, 'now' | 'elapsedMs' | 'randomBytes'>
  readonly log: Log
}

/** Starts live push. */
export function openPush({ whoAsks, state, liveNumbers, publicUrl, io, log }: LivePushOptions): LivePush {
  const access = pushAccessOf(whoAsks)
  const push = startPush({
    io, log, stands: access.stands, alertsSince: alertsSinceIn(state.alerts),
    readMetrics: (tenant) => {
      const { ingestionRate, normalizationLatencyP99, alertsLastMinute, consumerLag } = liveNumbers(tenant)
      return {
        ingestion_rate: ingestionRate, normalization_latency_p99: normalizationLatencyP99,
        alerts_last_minute: alertsLastMinute, queue_consumer_lag_total: consumerLag,
      }
    },
  })
  const allowedOrigins = publicUrl === '' ? [] : [new URL(publicUrl).origin]
  return { ...push, access: { ...access, tickets: push.tickets }, allowedOrigins, log }
}

type Told = Pick<LivePush, 'hub' | 'log'>

/** Tells clients that somebody changed an alert. */
export function pushAlertUpdate({ hub, log }: Told, tenant: TenantId, { id, status, verdict, assignee }: Alert): void {
  const news = { alert_id: id, status: alertStatusWordOf(status), verdict, assignee: assignee ?? null }
  hub.pushNews(tenant, 'alert_updated', news).catch((error: unknown) => {
    log.error('a change of an alert could not be pushed', { error: messageOf(error) })
  })
}

/** Tells clients that a connector became another; they may be gone before all of them were told. */
export function pushTransition({ hub, log }: Told, { tenant, connectorId, oldStatus, newStatus, message }: ConnectorTransition): void {
  const news = { connector_id: connectorId, old_status: oldStatus, new_status: newStatus, message }
  hub.pushNews(tenant, 'connector_status_change', news).catch((error: unknown) => {
    log.error('a change of a connector could not be pushed', { error: messageOf(error) })
  })
}
