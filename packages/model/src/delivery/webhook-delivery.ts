import type { WebhookEvent } from './webhook-event.ts'

/** `pending`: an attempt is due; `canceled`: the webhook was disabled while it waited. */
export const deliveryStatuses = ['pending', 'delivered', 'failed', 'canceled'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** Why a delivery was made: the event itself, or a user who had it tested, sent again or replayed. */
export const deliveryReasons = ['event', 'test', 'redelivery', 'replay'] as const
export type DeliveryReason = (typeof deliveryReasons)[number]

/** One event on its way to one webhook. */
export type WebhookDelivery = {
  readonly id: string
  readonly webhookId: string
  readonly event: WebhookEvent
  readonly reason: DeliveryReason
  readonly status: DeliveryStatus
  /** Attempts made so far. */
  readonly attempt: number
  /** When the next attempt is due; undefined unless pending. */
  readonly dueAt: number | undefined
  /** The outcome of the last attempt; undefined before the first. */
  readonly last: AttemptResult | undefined
  readonly createdAt: number
}

/** What became of one attempt. */
export type AttemptResult = {
  readonly at: number
  readonly durationMs: number
  /** Undefined where no response came. */
  readonly httpStatus: number | undefined
  /** Empty for a success. */
  readonly error: string
  /** The beginning of the response body. */
  readonly snippet: string
  /** Milliseconds that the receiver asked to wait. */
  readonly retryAfterMs: number | undefined
}

/** What an attempt leads to: its delivery is done, or retried; and whether the receiver wants no more of the webhook. */
export type AttemptOutcome = Pick<WebhookDelivery, 'status' | 'attempt' | 'dueAt'> & {
  readonly last: AttemptResult
  readonly isGone: boolean
}

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/** Milliseconds before each attempt, after the end of the one before: ten attempts within about 75 hours. */
export const attemptDelaysMs: readonly number[] = [
  0, 5 * secondMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 5 * hourMs, 10 * hourMs, 14 * hourMs, 20 * hourMs, 24 * hourMs,
]

/** The share by which delays are shortened or lengthened at random, so that deliveries that failed together spread. */
const jitterShare = 0.2

/** The longest wait that a receiver may ask for. */
const retryAfterMsMax = 24 * hourMs

/** Statuses whose `Retry-After` is respected. */
const waitStatuses: readonly number[] = [429, 503]

/**
 * Decides what follows an attempt. Success is a 2xx; 410 ends the delivery and the webhook; all else is retried until the
 * attempts are used up. `random` is in [0, 1).
 */
export function judgeAttempt(
  { attempt: before, reason }: Pick<WebhookDelivery, 'attempt' | 'reason'>, last: AttemptResult, random: number,
): AttemptOutcome {
  const attempt = before + 1
  const { httpStatus, error, at, durationMs } = last
  const isGone = httpStatus === 410
  if (error === '') return { status: 'delivered', attempt, dueAt: undefined, last, isGone }
  const delayMs = reason === 'test' ? undefined : attemptDelaysMs[attempt]
  if (isGone || delayMs === undefined) return { status: 'failed', attempt, dueAt: undefined, last, isGone }
  const jitteredMs = Math.round(delayMs * (1 + jitterShare * (2 * random - 1)))
  const isAsked = httpStatus !== undefined && waitStatuses.includes(httpStatus)
  const askedMs = isAsked ? Math.min(last.retryAfterMs ?? 0, retryAfterMsMax) : 0
  return { status: 'pending', attempt, dueAt: at + durationMs + Math.max(jitteredMs, askedMs), last, isGone }
}

/** Parses `Retry-After`: seconds or an HTTP date (RFC 9110, 10.2.3); undefined for anything else. */
export function parseRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * secondMs
  const at = text.endsWith(' GMT') ? Date.parse(text) : NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
