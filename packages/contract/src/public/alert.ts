import { z } from 'zod'
import { limits } from '../limits.ts'
import { searchText, severityWords, texts, time, words } from './parameters.ts'
import type { Profile } from './profile.ts'
import { count, flag, instant, list, named, nullable, number, optional, plain, record, text, word } from './shape.ts'
import type { ValueOf } from './shape.ts'
import { alertStatuses, severities, verdicts } from './vocabulary.ts'

/** An ATT&CK technique, with or without sub-technique. */
export const technique = plain(z.string().regex(/^T\d{4}(\.\d{3})?$/))

/** The first tactic and technique; A names a technique without its sub-technique. */
export const firstAttack = {
  mitre_tactic: { shape: nullable(text), derive: (entry: object) => getFirst(entry, 'mitre_tactics') },
  mitre_technique: {
    shape: nullable(technique),
    derive: (entry: object, profile: Profile) => {
      const first = getFirst(entry, 'mitre_techniques')
      return profile === 'a' && typeof first === 'string' ? first.split('.')[0] : first
    },
  },
} as const

function getFirst(entry: object, name: string): unknown {
  const values: unknown = Reflect.get(entry, name)
  return Array.isArray(values) ? values[0] ?? null : null
}

const entryFields = {
  id: text,
  title: text,
  severity: word(severities),
  status: word(alertStatuses),
  /** Product and service of the log source, such as `windows-sysmon`. */
  source: text,
  /** The product alone, such as `windows`. */
  source_type: text,
  source_ip: text,
  ...firstAttack,
  mitre_tactics: list(text),
  mitre_techniques: list(technique),
  created_at: instant,
  updated_at: instant,
  description: text,
  event_count: count,
  ai_summary: text,
  /** `template`: the summary is made by a fixed rule, and nothing was sent anywhere. */
  ai_summary_source: plain(z.literal('template')),
} as const

/** An alert in a list. */
export const publicAlert = record(entryFields)
export type PublicAlert = ValueOf<typeof publicAlert>

const publicComment = record({ id: text, content: text, author: text, created_at: instant })

/** Something that happened to an alert or an incident. */
export const timelineEntry = record({ at: instant, actor: text, action: text, detail: text })

/** An alert by itself. */
export const publicAlertDetail = record({
  ...entryFields,
  rule_id: text,
  rule_title: text,
  event: record({ timestamp: instant, source: text, host: text, user: text, process: text, command_line: text }),
  enrichment: record({
    user_context: record({ department: text, is_privileged: flag }),
    asset_context: record({ criticality: text, os: text, ip: text }),
    threat_intel: record({ known_malicious: flag, reputation_score: number }),
  }),
  entities: list(record({ type: plain(z.enum(['host', 'user', 'ip', 'process'])), value: text })),
  assignee: nullable(text),
  verdict: word(verdicts),
  first_seen: instant,
  last_seen: instant,
  dedup_key: text,
  incident_id: nullable(text),
  reopened_count: count,
  comments: list(publicComment),
  /** What happened to it, in order: its creation, changes, comments. */
  timeline: list(timelineEntry),
  /** The comparisons that held for its last event. */
  matched_conditions: list(text),
  url: text,
})
export type PublicAlertDetail = ValueOf<typeof publicAlertDetail>

/** Published with these names in both profiles. */
const stat = (name: string) => named(count, { a: name, b: name })

/** Counts of alerts; those of critical and high ones are neither resolved nor false positives. */
export const publicAlertStats = record({
  total_alerts: stat('total_alerts'),
  open_alerts: stat('open_alerts'),
  critical_alerts: stat('critical_alerts'),
  high_alerts: stat('high_alerts'),
  alerts_today: stat('alerts_today'),
  alerts_this_week: stat('alerts_this_week'),
  resolved_alerts: stat('resolved_alerts'),
  false_positive_alerts: stat('false_positive_alerts'),
})

const { commentLengthMax } = limits.lists
const commentText = plain(z.string().min(1).max(commentLengthMax))

export type PublicAlertStats = ValueOf<typeof publicAlertStats>

/** A change of an alert: at least one of its fields. */
export const publicAlertChange = record({
  status: optional(word(alertStatuses)),
  comment: optional(commentText),
  /** The email of an active user; null for none. */
  assignee: optional(nullable(plain(z.string().max(limits.auth.emailLengthMax)))),
  verdict: optional(word(verdicts)),
})

/** The filters of the list of alerts. */
export const alertParameters = {
  severity: severityWords,
  status: words(alertStatuses),
  source_type: texts,
  search: searchText(limits.state.soughtLengthMax),
  from: time,
  to: time,
} as const
