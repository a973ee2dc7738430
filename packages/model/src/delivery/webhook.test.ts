import fc from 'fast-check'
import { expect, test } from 'vitest'
import { attemptDelaysMs, judgeAttempt, parseRetryAfter } from './webhook-delivery.ts'
import type { AttemptResult } from './webhook-delivery.ts'
import { deriveWebhookEventId, printPayload } from './webhook-event.ts'
import type { WebhookEvent } from './webhook-event.ts'
import { applyDelivery, isSubscribed, webhookEventTypes } from './webhook.ts'
import type { PublicSeverity } from '../level.ts'
import type { WebhookEventType, WebhookStatus } from './webhook.ts'

const day = 86_400_000

function webhookEventWith(event: Partial<WebhookEvent>): WebhookEvent {
  const usual = { id: 'evt_1', type: 'alert.created', at: 1_000, subject: 'm1', title: 'Whoami', severity: 'high' } as const
  return { ...usual, details: { sourceType: 'windows', status: 'open' }, ...event }
}
const answered = (httpStatus: number | undefined, change: Partial<AttemptResult> = {}): AttemptResult => {
  const isSuccess = httpStatus !== undefined && httpStatus >= 200 && httpStatus < 300
  return { at: 1_000, durationMs: 10, httpStatus, error: isSuccess ? '' : 'failed', snippet: '', retryAfterMs: undefined, ...change }
}

test('the attempts are those of the contract: ten within about 75 hours', () => {
  expect(attemptDelaysMs.map((delay) => delay / 1_000)).toEqual([0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400])
})

test.for<[title: string, attempt: number, result: AttemptResult, random: number, expected: string, waitMs: number | undefined]>([
  ['a 204 is delivered', 0, answered(204), 0, 'delivered', undefined],
  ['a 500 is retried after 5 s', 0, answered(500), 0.5, 'pending', 5_000],
  ['up to a fifth earlier', 0, answered(500), 0, 'pending', 4_000],
  ['or later', 0, answered(500), 1, 'pending', 6_000],
  ['no answer counts alike', 1, answered(undefined), 0.5, 'pending', 300_000],
  ['a redirect fails', 2, answered(302), 0.5, 'pending', 1_800_000],
  ['the tenth attempt is the last', 9, answered(500), 0.5, 'failed', undefined],
  ['a 410 ends it at once', 0, answered(410), 0.5, 'failed', undefined],
  ['a 429 with Retry-After waits as long', 0, answered(429, { retryAfterMs: 60_000 }), 0.5, 'pending', 60_000],
  ['a 503 too, but never for more than a day', 0, answered(503, { retryAfterMs: 9 * day }), 0.5, 'pending', day],
  ['and never for less than the schedule', 1, answered(429, { retryAfterMs: 1_000 }), 0.5, 'pending', 300_000],
  ['a 500 may ask for nothing', 0, answered(500, { retryAfterMs: 60_000 }), 0.5, 'pending', 5_000],
])('%s', ([, attempt, result, random, status, waitMs]) => {
  const { dueAt, ...outcome } = judgeAttempt({ attempt, reason: 'event' }, result, random)
  expect([outcome.status, outcome.attempt, dueAt === undefined ? undefined : dueAt - 1_010]).toEqual([status, attempt + 1, waitMs])
})

test('a test is tried once', () => {
  expect(judgeAttempt({ attempt: 0, reason: 'test' }, answered(500), 0)).toMatchObject({ status: 'failed', attempt: 1 })
})

test.for<[text: string | undefined, expected: number | undefined]>([
  ['120', 120_000], [' 0 ', 0], ['Fri, 20 Nov 2026 10:01:00 GMT', 60_000], ['Fri, 20 Nov 2026 09:00:00 GMT', 0], ['soon', undefined],
  ['-5', undefined], [undefined, undefined],
])('Retry-After %s is %s ms', ([text, expected]) => {
  expect(parseRetryAfter(text, Date.UTC(2026, 10, 20, 10))).toBe(expected)
})

test.for<[title: string, before: [WebhookStatus, number], ended: { hasSucceeded?: true; isGone?: true; isTest?: true }, after: [WebhookStatus, number]]>([
  ['a success forgets failures', ['active', 4], { hasSucceeded: true }, ['active', 0]],
  ['four events in a row go on', ['active', 3], {}, ['active', 4]],
  ['the fifth disables it', ['active', 4], {}, ['disabled_by_failures', 5]],
  ['a test does not count', ['active', 4], { isTest: true }, ['active', 4]],
  ['a receiver that is gone disables it at once', ['active', 0], { isGone: true }, ['gone', 1]],
  ['what a user disabled stays so', ['disabled', 4], { isGone: true }, ['disabled', 5]],
])('%s', ([, [status, failureCount], ended, after]) => {
  const given = { hasSucceeded: false, isGone: false, isTest: false, at: 7, ...ended }
  const health = applyDelivery({ status, failureCount, lastDeliveryAt: 3 }, given)
  expect([health.status, health.failureCount]).toEqual(after)
  expect(health.lastDeliveryAt).toBe(ended.hasSucceeded ? 7 : 3)
})

test.for<[events: WebhookEventType[], severities: PublicSeverity[], type: WebhookEventType, severity: PublicSeverity | undefined, expected: boolean]>([
  [['alert.created'], [], 'alert.created', 'info', true],
  [['alert.created'], [], 'alert.updated', 'info', false],
  [['alert.created'], ['high'], 'alert.created', 'high', true],
  [['alert.created'], ['high'], 'alert.created', 'low', false],
  [['incident.updated'], ['high'], 'incident.updated', 'low', false],
  [['collector.disconnected'], ['high'], 'collector.disconnected', 'medium', true],
  [['connector.unhealthy'], ['high'], 'connector.unhealthy', undefined, true],
])('%j with severities %j gets %s of %s: %s', ([events, severities, type, severity, expected]) => {
  expect(isSubscribed({ events, severities }, { type, severity })).toBe(expected)
})

const published = (event: Partial<WebhookEvent>, profile: 'a' | 'b'): unknown =>
  JSON.parse(printPayload(webhookEventWith({ at: Date.UTC(2026, 10, 20, 10), ...event }), { profile, publicUrl: 'https://console', bytesMax: 20_480 }))

test.for<[title: string, profile: 'a' | 'b', event: Partial<WebhookEvent>, data: object]>([
  ['a new alert', 'b', {}, { id: 'm1', title: 'Whoami', severity: 'high', url: 'https://console/alerts/m1', source_type: 'windows', status: 'open' }],
  ['the same in A', 'a', {}, { id: 'm1', title: 'Whoami', severity: 'high', url: 'https://console/alerts/m1', sourceType: 'windows', status: 'OPEN' }],
  ['a changed alert', 'b', { type: 'alert.updated', details: { status: 'resolved', previousStatus: 'in_progress', updatedBy: 'a@x.io' } },
    { id: 'm1', title: 'Whoami', severity: 'high', url: 'https://console/alerts/m1', updated_by: 'a@x.io', status: 'resolved', previous_status: 'in_progress' }],
  ['an incident in B', 'b', { type: 'incident.updated', details: { status: 'eradicated', previousStatus: 'investigating', alertCount: 4 } },
    { id: 'm1', title: 'Whoami', severity: 'high', url: 'https://console/incidents/m1', alert_count: 4, status: 'contained', previous_status: 'investigating' }],
  ['an incident in A', 'a', { type: 'incident.updated', details: { status: 'eradicated', previousStatus: 'investigating', alertCount: 4 } },
    { id: 'm1', title: 'Whoami', severity: 'high', url: 'https://console/incidents/m1', alertCount: 4, status: 'ERADICATED', previousStatus: 'OPEN' }],
  ['a collector', 'b', { type: 'collector.disconnected', details: { hostname: 'fra-1', lastSeen: 0 } },
    { id: 'm1', title: 'Whoami', severity: 'high', url: 'https://console/collectors/m1', hostname: 'fra-1', last_seen: '1970-01-01T00:00:00.000Z' }],
])('%s', ([, profile, event, data]) => {
  const type = event.type ?? 'alert.created'
  expect(published(event, profile)).toEqual({ event: type, type, timestamp: '2026-11-20T10:00:00.000Z', data })
})

test('a payload has at most 20 KiB, whatever its texts, and says that it was cut', () => {
  fc.assert(fc.property(fc.constantFrom(...webhookEventTypes), fc.constantFrom('a', 'b'), fc.string({ unit: 'binary', maxLength: 5 }), fc.nat(60_000),
    (type, profile, text, count) => {
      const long = (text + '\u{0}😀').repeat(count)
      const event = webhookEventWith({ type, title: long, details: { message: long, updatedBy: text, status: 'open' } })
      const body = printPayload(event, { profile, publicUrl: 'https://console', bytesMax: 20_480 })
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(20_480)
      const { data } = JSON.parse(body) as { data: { title: string; truncated?: true } }
      expect(data.title.isWellFormed() || !long.isWellFormed()).toBe(true)
      expect(data.truncated === true).toBe(data.title !== long)
    }), { seed: 7, numRuns: 100 })
})

test('the id of an event follows from its domain event', () => {
  const id = deriveWebhookEventId('a', 'evt_1_0123', 1_700_000_000_000)
  expect(id).toMatch(/^evt_018bcfe5-6800-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(deriveWebhookEventId('a', 'evt_1_0123', 1_700_000_000_000)).toBe(id)
  expect(deriveWebhookEventId('b', 'evt_1_0123', 1_700_000_000_000)).not.toBe(id)
})
