import type { Log } from '@tripline/common/log'
import type { Runtime } from '@tripline/common/runtime'
import type { AuditRecorder } from '@tripline/model/audit'
import { printEventPosition } from '@tripline/model/delivery/domain-event'
import type { AnnounceJob } from '@tripline/model/delivery/job-progress'
import type { TenantId } from '@tripline/model/tenant'
import type { Stores } from '@tripline/state/ports/state-store'
import type { AuthenticationDeps } from '../access/authenticate-request.ts'
import { limits } from '../limits.ts'
import { createMissedAlertsFinder, createMissedEventsFinder } from './missed-messages.ts'
import type { EventConsumer } from './outbox/event-consumer.ts'
import { createPushConsumer, pushConsumerName } from './push-consumer.ts'
import type { TailChange } from './push/handle-message.ts'
import { toJobMessage } from './push/job-messages.ts'
import { startPush } from './push/start-push.ts'
import type { Push } from './push/start-push.ts'
import { createWebSocketAuth } from './websocket-auth.ts'
import type { WebSocketAuth } from './websocket-auth.ts'

/** Live push with the authentication of its connections. */
export type LivePush = Push & {
  readonly access: WebSocketAuth
  /** Pushes domain events to clients. */
  readonly consumer: EventConsumer
  /** Pushes how far a job is. */
  readonly announceJob: AnnounceJob
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
  readonly state: Pick<Stores, 'alerts' | 'domainEvents'>
  readonly trail: AuditRecorder
  readonly allowedOrigins: readonly string[]
  readonly io: Pick<Runtime, 'now' | 'elapsedMs' | 'randomBytes'>
  readonly log: Log
}

/** Starts live push. */
export async function openPush({ authenticationDeps, state, trail, allowedOrigins, io, log }: LivePushOptions): Promise<LivePush> {
  const pushed = new Map(await state.domainEvents.positions(pushConsumerName))
  const access = createWebSocketAuth(authenticationDeps)
  let getLiveMetrics = (_tenant: TenantId): LiveMetrics => unmeasured
  const push = startPush({
    io, log, isSessionValid: access.isStillValid, readAlertsSince: createMissedAlertsFinder(state.alerts),
    readEventsSince: createMissedEventsFinder(state.domainEvents),
    getLastEventId: (tenant) => printEventPosition(pushed.get(tenant) ?? 0),
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
    ...push, consumer: createPushConsumer(push.hub, pushed), access: { ...access, tickets: push.tickets }, allowedOrigins, log,
    announceJob: (tenant, progress) => void push.hub.push(tenant, toJobMessage(progress, io.now())),
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
