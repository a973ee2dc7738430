import { z } from 'zod'
import { limits } from '../limits.ts'
import { firstAttack, publicAlert, technique, timelineEntry } from './alert.ts'
import { severityWords, texts, time, words } from './parameters.ts'
import { anyWord, count, flag, instant, list, named, nullable, number, optional, plain, record, text, word } from './shape.ts'
import type { ValueOf } from './shape.ts'
import { incidentStatusWords, severities } from './vocabulary.ts'

const { titleLengthMax, textLengthMax, namedMax } = limits.incidents

const entryFields = {
  id: text,
  title: text,
  severity: word(severities),
  status: word(incidentStatusWords),
  alert_count: count,
  created_at: instant,
  updated_at: instant,
  /** Null for an incident without one. */
  assignee: named(nullable(text), { a: 'assignedTo' }),
  ...firstAttack,
  mitre_tactics: list(text),
  mitre_techniques: list(technique),
  ai_summary: text,
  ai_summary_source: plain(z.literal('template')),
} as const

/** An incident in a list. */
export const publicIncident = record(entryFields)
export type PublicIncident = ValueOf<typeof publicIncident>

/** A comment on an incident. */
export const incidentComment = record({ id: text, incident_id: text, content: text, author: text, created_at: instant })
export type PublicIncidentComment = ValueOf<typeof incidentComment>

/** An incident by itself. */
export const publicIncidentDetail = record({
  ...entryFields,
  description: text,
  origin: plain(z.enum(['user', 'api', 'rule', 'grouping'])),
  entities: list(record({ type: plain(z.enum(['host', 'user', 'ip'])), value: text, alert_count: count })),
  /** The last entries, oldest first. */
  timeline: list(timelineEntry),
  /** The newest alerts; `alert_count` counts them all. */
  related_alerts: list(publicAlert),
  /** The assets that its hosts are. */
  affected_assets: list(record({ id: text, hostname: text, criticality: text, risk_score: number })),
  /** What playbooks did about it. */
  response_actions: list(record({ id: text, type: text, status: text, requested_by: text, at: instant, result: text })),
  comments: list(incidentComment),
  resolution_note: text,
  /** The incident that has its alerts since a merge. */
  merged_into: nullable(text),
  /** Whether a user set the severity; else it is the highest of the alerts. */
  severity_set: flag,
  closed_at: nullable(instant),
  reopened_at: nullable(instant),
  url: text,
})
export type PublicIncidentDetail = ValueOf<typeof publicIncidentDetail>

const title = plain(z.string().trim().min(1).max(titleLengthMax))
const longText = plain(z.string().trim().max(textLengthMax))
const assignee = nullable(plain(z.string().max(limits.auth.emailLengthMax)))
const comment = plain(z.string().trim().min(1).max(limits.lists.commentLengthMax))
const id = plain(z.string().min(1).max(limits.push.idLengthMax))

/** A new incident; without a severity it has the highest of its alerts. */
export const newPublicIncident = record({
  title,
  description: { shape: longText, missing: { a: '', b: '' } },
  severity: optional(word(severities)),
  assignee: optional(assignee, { a: 'assignedTo' }),
  /** Alerts that are in no incident. */
  alert_ids: { shape: list(id, { lengthMax: namedMax }), missing: { a: [], b: [] } },
})

/** A change of an incident: at least one of its fields. */
export const publicIncidentChange = record({
  title: optional(title),
  description: optional(longText),
  /** The statuses that the written word stands for. */
  status: optional(anyWord(incidentStatusWords)),
  /** Null: the highest of its alerts. */
  severity: optional(nullable(word(severities))),
  assignee: optional(assignee, { a: 'assignedTo' }),
  resolution_note: optional(longText),
  comment: optional(comment),
})

export const newIncidentComment = record({ content: comment })

/** Alerts that join an incident, and incidents that are merged into one. */
export const incidentAlerts = record({ alert_ids: list(id, { lengthMin: 1, lengthMax: namedMax }) })
export const incidentSources = record({ incident_ids: list(id, { lengthMin: 1, lengthMax: namedMax }) })

/** The filters of the list of incidents. */
export const incidentParameters = {
  severity: severityWords,
  status: words(incidentStatusWords),
  assignee: texts,
  from: time,
  to: time,
} as const
