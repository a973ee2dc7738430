import { createHash } from 'node:crypto'
import { formatTimedUuid } from '../ids.ts'
import { incidentStatuses, printIncidentStatus } from '../incidents/incident-status.ts'
import type { TenantId } from '../tenant.ts'
import type { PublicSeverity } from '../level.ts'
import type { SentEventType, Webhook } from './webhook.ts'

/** An event as it is stored for webhooks: once for all of a tenant, in the server's own words. */
export type WebhookEvent = {
  /** `evt_` and a UUID: the same on every attempt to every webhook, so that receivers recognise repetitions. */
  readonly id: string
  readonly type: SentEventType
  readonly at: number
  readonly subject: string
  readonly title: string
  readonly severity: PublicSeverity | undefined
  readonly details: WebhookEventDetails
}

/** What events of some types say beside their subject; statuses in the server's own words. */
export type WebhookEventDetails = {
  readonly status?: string
  readonly previousStatus?: string
  readonly updatedBy?: string
  readonly sourceType?: string
  readonly alertCount?: number
  readonly hostname?: string
  readonly lastSeen?: number
  readonly message?: string
  /** Who gets mail in place of the recipients of the channel. */
  readonly recipients?: readonly string[]
}

/** Derives the id of a domain event's webhook event: a UUIDv7 with a hash for its random bits, the same each time. */
export function deriveWebhookEventId(tenant: TenantId, domainEventId: string, at: number): string {
  const rest = createHash('sha256').update(JSON.stringify(['webhook event', tenant, domainEventId])).digest()
  return `evt_${formatTimedUuid(7, at, rest)}`
}

/** The console page of each kind of subject, below the public URL. */
const pages: { readonly [kind: string]: (subject: string) => string } = {
  alert: (id) => `/alerts/${id}`,
  incident: (id) => `/incidents/${id}`,
  collector: (id) => `/collectors/${id}`,
  connector: (id) => `/connectors/${id}`,
  rule: (id) => `/rules/${encodeURIComponent(id)}`,
  webhook: () => '/settings/webhooks',
}

/** Whose words a payload has, and where its links lead. */
type PayloadWords = Pick<Webhook, 'profile'> & { readonly publicUrl: string }

/** Characters of a text in a payload; halved until the payload fits. */
const textLengthMax = 4_096

/**
 * Prints the body of a delivery in the words and key case of the webhook's profile. Texts are cut, and `truncated` says so,
 * until it has at most `bytesMax` bytes.
 */
export function printPayload(
  event: WebhookEvent, { bytesMax, ...words }: PayloadWords & { readonly bytesMax: number },
): string {
  for (let length = textLengthMax; ; length = Math.floor(length / 2)) {
    const body = JSON.stringify(buildPayload(event, { ...words, length }))
    if (Buffer.byteLength(body) <= bytesMax || length === 0) return body
  }
}

function buildPayload(
  { type, at, subject, title, severity, details }: WebhookEvent,
  { profile, publicUrl, length }: PayloadWords & { readonly length: number },
): object {
  const [kind = ''] = type.split('.')
  const { status, previousStatus, lastSeen, ...rest } = details
  const texts = Object.entries({ title, ...rest })
  const isCut = texts.some(([, value]) => typeof value === 'string' && value.length > length)
  const { title: shownTitle, ...shown } = Object.fromEntries(texts.map(([name, value]) => [name, cut(value, length)]))
  const data = {
    id: subject, title: shownTitle, ...(severity !== undefined && { severity }), url: `${publicUrl}${pages[kind]?.(subject) ?? '/'}`,
    ...shown,
    ...(status !== undefined && { status: toStatusWord(profile, kind, status) }),
    ...(previousStatus !== undefined && { previousStatus: toStatusWord(profile, kind, previousStatus) }),
    ...(lastSeen !== undefined && { lastSeen: new Date(lastSeen).toISOString() }),
    ...(isCut && { truncated: true }),
  }
  const named = Object.entries(data).map(([name, value]) => [profile === 'a' ? name : toSnakeCase(name), value])
  return { event: type, type, timestamp: new Date(at).toISOString(), data: Object.fromEntries(named) as object }
}

function toStatusWord(profile: Webhook['profile'], kind: string, status: string): string {
  if (kind === 'incident') {
    const known = incidentStatuses.find((incidentStatus) => incidentStatus === status)
    return known === undefined ? status : printIncidentStatus(profile, known)
  }
  return profile === 'a' ? status.toUpperCase() : status
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** A text cut between code points. */
function cut(value: unknown, length: number): unknown {
  return typeof value === 'string' && value.length > length ? value.slice(0, length).toWellFormed() : value
}
