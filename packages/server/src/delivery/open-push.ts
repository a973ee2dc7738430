import { getErrorMessage } from '@tripline/common/error-message'
import type { AuthenticationDeps } from '../access/authenticate-request.ts'
import { limits } from '../limits.ts'
import { toAlertStatusWord } from '../model/alert-status.ts'
import type { Alert } from '../model/alert.ts'
import type { AuditRecorder } from '../model/audit.ts'
import type { ConnectorTransition } from '../model/connector.ts'
import type { TenantId } from '../model/tenant.ts'
import type { Log } from '../runtime/log.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { Stores } from '../state/ports/state-store.ts'
import { createMissedAlertsFinder } from './missed-alerts.ts'
import type { TailChange } from './push/handle-message.ts'
import { startPush } from './push/start-push.ts'
import type { Push } from './push/start-push.ts'
import { createWebSocketAuth } from './websocket-auth.ts'
import type { WebSocketAuth } from './websocket-auth.ts'

/** Live push with the authentication of its connections. */
export type LivePush = Push & {
  readonly access: WebSocketAuth
  /** Origins of pages that may use the API besides those that this server serves. */
  readonly allowedOrigins: readonly string[]
  readonly log: Pick<Log, 'error'>
  /** Pushes the metrics that a function reads from now on; zeros until then, because measuring opens after push. */
  readonly publishMetrics: (read: (tenant: TenantId) => LiveMetrics) => void
}

/** Metrics of a tenant that clients subscribe to. */
type LiveMetrics = {
  readonly ingestionRate: number
  readonly normalizationLatencyP99: number
  readonly alertsLastMinute: number
  readonly consumerLag: number
}

const unmeasured: LiveMetrics = { ingestionRate: 0, normalizationLatencyP99: 0, alertsLastMinute: 0, consumerLag: 0 }

type LivePushOptions = {
  readonly authenticationDeps: Pick<AuthenticationDeps, 'authentication' | 'limiter' | 'clock'>
  readonly state: Pick<Stores, 'alerts'>
  readonly trail: AuditRecorder
  readonly allowedOrigins: readonly string[]
  readonly io: Pick<Runtime, 'now' | 'elapsedMs' | 'randomBytes'>
  readonly log: Log
}

/** Starts live push. */
export function openPush({ authenticationDeps, state, trail, allowedOrigins, io, log }: LivePushOptions): LivePush {
  const access = createWebSocketAuth(authenticationDeps)
  let getLiveMetrics = (_tenant: TenantId): LiveMetrics => unmeasured
  const push = startPush({
    io, log, isSessionValid: access.isStillValid, readAlertsSince: createMissedAlertsFinder(state.alerts),
    onTail: (change) => recordTail(trail, change),
    readMetrics: (tenant) => {
      const { ingestionRate, normalizationLatencyP99, alertsLastMinute, consumerLag } = getLiveMetrics(tenant)
      return {
        ingestion_rate: ingestionRate, normalization_latency_p99: normalizationLatencyP99,
        alerts_last_minute: alertsLastMinute, queue_consumer_lag_total: consumerLag,
      }
    },
  })
  return {
    ...push, access: { ...access, tickets: push.tickets }, allowedOrigins, log,
    publishMetrics: (read) => {
      getLiveMetrics = read
    },
  }
}

function recordTail(trail: AuditRecorder, { connection, kind, query, refusal }: TailChange): void {
  const { principal: { tenant, subject }, circumstances: { ip, userAgent, requestId } } = connection
  trail.note({
    tenant, actor: { type: 'user', id: subject }, action: `tail.${kind}`, target: { type: 'events', id: 'tail' },
    outcome: refusal === undefined ? 'success' : 'failed', circumstances: { ip, userAgent, requestId },
    details: { query: query.slice(0, limits.audit.textLengthMax), ...(refusal !== undefined && { reason: refusal.toLowerCase() }) },
  })
}

type PushTarget = Pick<LivePush, 'hub' | 'log'>

/** Publishes a changed alert to clients. */
export function pushAlertUpdate({ hub, log }: PushTarget, tenant: TenantId, { id, status, verdict, assignee }: Alert): void {
  const news = { alert_id: id, status: toAlertStatusWord(status), verdict, assignee: assignee ?? null }
  hub.pushNotification(tenant, 'alert_updated', news).catch((error: unknown) => {
    log.error('an alert update could not be pushed', { error: getErrorMessage(error) })
  })
}

/** Publishes a connector's status change to clients; failures are logged, since clients may disconnect. */
export function pushTransition({ hub, log }: PushTarget, { tenant, connectorId, oldStatus, newStatus,
  message }: ConnectorTransition): void {
  const news = { connector_id: connectorId, old_status: oldStatus, new_status: newStatus, message }
  hub.pushNotification(tenant, 'connector_status_change', news).catch((error: unknown) => {
    log.error('a connector status change could not be pushed', { error: getErrorMessage(error) })
  })
}
