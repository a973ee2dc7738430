import type { DomainEvent, DomainEventType } from '@tripline/model/delivery/domain-event'
import { toPublicSeverity } from '@tripline/model/level'
import type { TenantId } from '@tripline/model/tenant'
import { deriveWebhookEventId } from '@tripline/model/delivery/webhook-event'
import type { WebhookEvent } from '@tripline/model/delivery/webhook-event'
import type { WebhookEventType } from '@tripline/model/delivery/webhook'
import type { StateStore } from '@tripline/state/ports/state-store'

type EventOf<Type extends DomainEventType> = Extract<DomainEvent, { readonly type: Type }>

/** What describing events reads. */
type DescribedState = Pick<StateStore, 'alerts' | 'connectors'>

type Described = Pick<WebhookEvent, 'title' | 'severity' | 'details'> & { readonly type: WebhookEventType }

type Describe<Type extends DomainEventType> =
  (state: DescribedState, tenant: TenantId, event: EventOf<Type>) => Promise<Described | undefined>

/** What webhooks learn of each type of domain event; undefined for nothing. */
const describers: { readonly [Type in DomainEventType]?: Describe<Type> } = {
  async 'alert.created'({ alerts }, tenant, { subject, data: { level, ruleTitle } }) {
    const sourceType = (await alerts.get(tenant, subject))?.product ?? ''
    return { type: 'alert.created', title: ruleTitle, severity: toPublicSeverity(level), details: { sourceType, status: 'open' } }
  },
  async 'alert.updated'({ alerts }, tenant, { subject, data: { status, previousStatus, by } }) {
    if (previousStatus === status) return undefined
    const alert = await alerts.get(tenant, subject)
    if (alert === undefined) return undefined
    const history = { ...(previousStatus !== undefined && { previousStatus }), ...(by !== undefined && { updatedBy: by }) }
    return { type: 'alert.updated', title: alert.ruleTitle, severity: toPublicSeverity(alert.level), details: { status, ...history } }
  },
  async 'incident.created'(_state, _tenant, { data: { title, level, status, alertCount } }) {
    return { type: 'incident.created', title, severity: toPublicSeverity(level), details: { status, alertCount } }
  },
  async 'incident.updated'(_state, _tenant, { data: { title, level, status, previousStatus, alertCount } }) {
    if (previousStatus === status) return undefined
    return { type: 'incident.updated', title, severity: toPublicSeverity(level), details: { status, previousStatus, alertCount } }
  },
  async 'connector.changed'({ connectors }, tenant, { subject, data }) {
    if (data.change !== 'status' || data.newStatus !== 'unhealthy') return undefined
    const name = (await connectors.get(tenant, subject))?.name ?? subject
    const details = { status: data.newStatus, previousStatus: data.oldStatus, message: data.message }
    return { type: 'connector.unhealthy', title: `Connector ${name} is unhealthy`, severity: 'medium', details }
  },
  async 'rule.changed'(_state, _tenant, { subject, data }) {
    if (data.change !== 'saved' || data.isEnabled || data.wasEnabled !== true) return undefined
    const { title = subject, by } = data
    return { type: 'rule.disabled', title, severity: 'medium', details: { ...(by !== undefined && { updatedBy: by }) } }
  },
  async 'collector.changed'(_state, _tenant, { data }) {
    if (data.change !== 'status') return undefined
    const { name, hostname, oldStatus, newStatus, lastSeenAt } = data
    const details = { hostname, ...(lastSeenAt !== null && { lastSeen: lastSeenAt }) }
    if (newStatus === 'offline') {
      return { type: 'collector.disconnected', title: `Collector ${name} disconnected`, severity: 'medium', details }
    }
    if (oldStatus !== 'offline') return undefined
    return { type: 'collector.connected', title: `Collector ${name} connected`, severity: 'info', details }
  },
}

/** Describes a domain event for webhooks, in the server's own words; undefined if they learn nothing of it. */
export async function describeEvent(state: DescribedState, tenant: TenantId, event: DomainEvent): Promise<DescribedEvent | undefined> {
  const describe = describers[event.type] as Describe<DomainEventType> | undefined
  const described = await describe?.(state, tenant, event)
  if (described === undefined) return undefined
  const { id, at, subject } = event
  return { ...described, id: deriveWebhookEventId(tenant, id, at), at, subject }
}

/** An event of a type that webhooks subscribe to. */
type DescribedEvent = WebhookEvent & { readonly type: WebhookEventType }
