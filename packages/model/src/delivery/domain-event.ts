import type { Level } from '@tripline/engine'
import { createHash } from 'node:crypto'
import type { AlertStatus } from '../alert.ts'
import type { CollectorStatus } from '../collectors/collector.ts'
import type { ConnectorStatus } from '../connector.ts'
import type { IncidentStatus } from '../incidents/incident-status.ts'
import type { MatchVerdict } from '../match.ts'
import type { TenantId } from '../tenant.ts'

/** What a change of each kind says beside its subject, as plain data. A new kind of event is one row here. */
export type DomainEventData = {
  readonly 'alert.created': {
    readonly level: Level
    readonly ruleId: string
    readonly ruleTitle: string
    readonly host: string
    readonly createdAt: number
    /** Absent from events of earlier releases. */
    readonly user?: string
    readonly source?: string
    readonly tactics?: readonly string[]
  }
  /** A match joined an alert that was caused by another alert: the two belong in one incident. */
  readonly 'alert.matched': { readonly causeId: string }
  readonly 'alert.updated': {
    readonly version: number
    readonly status: AlertStatus
    readonly verdict: MatchVerdict
    readonly assignee: string | null
    /** Absent from events of earlier releases. */
    readonly eventCount?: number
    /** Undefined in events of an earlier release. */
    readonly previousStatus?: AlertStatus
    /** Email or name of who made the change; undefined where it was not recorded. */
    readonly by?: string
  }
  readonly 'incident.created': IncidentEventData
  readonly 'incident.updated': IncidentEventData & {
    readonly previousStatus: IncidentStatus
    readonly assignee: string | null
    readonly version: number
  }
  readonly 'connector.changed':
    | { readonly change: 'created' | 'updated' | 'removed' }
    | {
      readonly change: 'status'
      readonly oldStatus: ConnectorStatus
      readonly newStatus: ConnectorStatus
      readonly message: string
    }
  /** What a user did, or another status. */
  readonly 'collector.changed':
    | { readonly change: 'enrolled' | 'updated' | 'retired' }
    | {
      readonly change: 'status'
      readonly name: string
      readonly hostname: string
      readonly oldStatus: CollectorStatus
      readonly newStatus: CollectorStatus
      /** When it was last heard before the change; null before the first time. */
      readonly lastSeenAt: number | null
    }
  /** `removed`: the tenant's own version of the rule is gone; a built-in rule is as it came with the server again. */
  readonly 'rule.changed':
    | {
      readonly change: 'saved'
      readonly version: number
      readonly isEnabled: boolean
      /** Of a change by a user. */
      readonly wasEnabled?: boolean
      readonly title?: string
      readonly by?: string
    }
    | { readonly change: 'removed' }
}

type IncidentEventData = { readonly title: string; readonly level: Level; readonly status: IncidentStatus; readonly alertCount: number }

export type DomainEventType = keyof DomainEventData

/** The types of domain events. */
const domainEventTypes = [
  'alert.created', 'alert.matched', 'alert.updated', 'incident.created', 'incident.updated', 'connector.changed', 'rule.changed',
  'collector.changed',
] as const satisfies readonly DomainEventType[]

export function isDomainEventType(type: string): type is DomainEventType {
  return domainEventTypes.some((known) => known === type)
}

/** A change that consumers are to learn of, before it is stored. */
export type NewDomainEvent = {
  [Type in DomainEventType]: {
    readonly type: Type
    /** The id of what changed. */
    readonly subject: string
    readonly at: number
    readonly data: DomainEventData[Type]
  }
}[DomainEventType]

/** A stored domain event: it is delivered at least once, under the same id each time. */
export type DomainEvent = NewDomainEvent & {
  readonly id: string
  /** Its number among the events of its tenant: consecutive, from 1. */
  readonly seq: number
}

const hashLength = 16

/**
 * The id of a domain event: its number, and a part of the hash of its content, so that a number that is used again after a
 * restore from a backup makes another id.
 */
export function buildDomainEventId(tenant: TenantId, seq: number, { type, subject, at, data }: NewDomainEvent): string {
  const text = JSON.stringify([tenant, seq, type, subject, at, data])
  return `${printEventPosition(seq)}_${createHash('sha256').update(text).digest('hex').slice(0, hashLength)}`
}

/** The position behind an event, which stands for the id of that event where only its number is known. */
export function printEventPosition(seq: number): string {
  return `evt_${seq}`
}

/** Parses the id of a domain event, or a position; undefined for any other text. */
export function parseDomainEventId(text: string): { readonly seq: number; readonly hash: string | undefined } | undefined {
  const [, seq, hash] = /^evt_(\d{1,15})(?:_([0-9a-f]{16}))?$/.exec(text) ?? []
  return seq === undefined ? undefined : { seq: Number(seq), hash }
}
