import type { PushData } from '@tripline/contract/push/push'
import type { Alert } from '@tripline/model/alert'
import { toAlertStatusWord } from '@tripline/model/alert-status'
import type { DomainEvent, DomainEventType } from '@tripline/model/delivery/domain-event'
import { printIncidentStatus } from '@tripline/model/incidents/incident-status'
import { consoleLevels } from '@tripline/model/level'
import type { EventMessage } from './event-feed.ts'
import { toAlertMessage, toChangeMessage } from './replay.ts'

type EventOf<Type extends DomainEventType> = Extract<DomainEvent, { readonly type: Type }>

function toIncidentMessage({ id, subject, at, data: { status, level } }: EventOf<'incident.created' | 'incident.updated'>): EventMessage {
  const data = { incident_id: subject, status: printIncidentStatus('console', status), severity: consoleLevels[level] }
  return toChangeMessage({ type: 'incident_updated', at, eventId: id, data })
}

type AnnouncedAlert = Pick<Alert, 'id' | 'level' | 'ruleId' | 'ruleTitle' | 'source' | 'status' | 'eventCount' | 'createdAt'> & {
  readonly host: string
  readonly user: string
  readonly tactics: readonly string[]
}

/** Prints an alert as the message about a new one. */
export function printNewAlert(
  { id, level, ruleId, ruleTitle, host, user, source, tactics, status, eventCount, createdAt }: AnnouncedAlert,
): PushData<'new_alert'> {
  return {
    alert_id: id, severity: consoleLevels[level], rule_title: ruleTitle, host, rule_id: ruleId, user, source, tactics: [...tactics],
    status: toAlertStatusWord(status), event_count: eventCount, created_at: new Date(createdAt).toISOString(),
  }
}

/** What clients learn of each type of domain event. */
const renderers: { readonly [Type in DomainEventType]: (event: EventOf<Type>) => EventMessage | undefined } = {
  'alert.created': ({ id, subject, data: { createdAt, user = '', source = '', tactics = [], ...facts } }) => toAlertMessage({
    createdAt, eventId: id, data: printNewAlert({ id: subject, user, source, tactics, createdAt, ...facts, status: 'open', eventCount: 1 }),
  }),
  'alert.matched': () => undefined,
  'alert.updated': ({ id, subject, at, data: { status, verdict, assignee, by = null, eventCount = null } }) => toChangeMessage({
    type: 'alert_updated', at, eventId: id,
    data: { alert_id: subject, status: toAlertStatusWord(status), verdict, assignee, updated_by: by, event_count: eventCount },
  }),
  'connector.changed': ({ id, subject, at, data }) => (data.change !== 'status' ? undefined : toChangeMessage({
    type: 'connector_status_change', at, eventId: id,
    data: { connector_id: subject, old_status: data.oldStatus, new_status: data.newStatus, message: data.message },
  })),
  'incident.created': toIncidentMessage,
  'incident.updated': toIncidentMessage,
  'rule.changed': () => undefined,
  'collector.changed': () => undefined,
}

/** The message of a domain event; undefined if clients learn nothing of it. */
export function toEventMessage(event: DomainEvent): EventMessage | undefined {
  const render = renderers[event.type] as (event: DomainEvent) => EventMessage | undefined
  return render(event)
}
