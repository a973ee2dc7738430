import { alertStatusWords } from '../alert-status.ts'
import { incidentOrigins, timelineActions } from '../incidents/incident.ts'
import { incidentStatuses } from '../incidents/incident-status.ts'
import { levelRank } from '../level.ts'
import { runStatuses } from '../playbooks/playbook.ts'
import type { FilterOperator } from './filter.ts'

/**
 * The kind of a field's values. `word`: one of a fixed set; `flag`: a boolean, internally 1 or 0; `texts`: a list;
 * `addresses`: a list of IP addresses; `tactic`: a list of tactics by any of their names; `technique`: a list in which a
 * technique includes its sub-techniques.
 */
export type FieldKind =
  | 'text' | 'word' | 'level' | 'flag' | 'ip' | 'number' | 'instant' | 'texts' | 'addresses' | 'tactic' | 'technique'

/** A field that a list can be sorted or filtered by; without `isSorted` and `isFiltered` only by the server itself. */
export type ListField = {
  readonly kind: FieldKind
  readonly isSorted?: true
  readonly isFiltered?: true
  /** API words and their internal values. */
  readonly words?: { readonly [word: string]: string }
  /** The order of the internal values, if it is not that of texts. Databases store the ranks. */
  readonly ranks?: { readonly [value: string]: number }
}

export type ListFields = { readonly [name: string]: ListField }

/** Maps words that are the same internally. */
export function mapToSelf(words: readonly string[]): { readonly [word: string]: string } {
  return Object.fromEntries(words.map((word) => [word, word]))
}

const verdictWords = {
  true_positive: 'true_positive', false_positive: 'false_positive', benign: 'benign', unreviewed: 'unreviewed',
} as const

/** What to do about a rule. */
const ruleVerdicts = ['keep', 'tune', 'retire', 'silent']

/** States of the health of a rule, from nothing to do to the worst. */
const healthStates = [
  'not_running', 'matched', 'running', 'never_matched', 'never_candidate', 'idle', 'never_routed', 'field_never_seen', 'degraded', 'broken',
]
const healthRanks = Object.fromEntries(healthStates.map((state, rank) => [state, rank]))

/** Sortable and filterable fields of alerts. */
export const alertFields = {
  id: { kind: 'text' },
  severity: { kind: 'level', isSorted: true, isFiltered: true, ranks: levelRank },
  status: { kind: 'word', isSorted: true, isFiltered: true, words: alertStatusWords },
  rule_id: { kind: 'text', isFiltered: true },
  rule_title: { kind: 'text', isSorted: true, isFiltered: true },
  host: { kind: 'text', isSorted: true, isFiltered: true },
  /** With small ASCII letters: names of hosts and users compare without case. */
  host_folded: { kind: 'text', isFiltered: true },
  user: { kind: 'text', isFiltered: true },
  user_folded: { kind: 'text', isFiltered: true },
  process: { kind: 'text', isFiltered: true },
  source: { kind: 'text', isFiltered: true },
  source_ip: { kind: 'ip', isFiltered: true },
  product: { kind: 'text' },
  description: { kind: 'text' },
  tactic: { kind: 'tactic', isFiltered: true },
  technique: { kind: 'technique', isFiltered: true },
  assignee: { kind: 'text', isFiltered: true },
  verdict: { kind: 'word', isFiltered: true, words: verdictWords },
  created_at: { kind: 'instant', isSorted: true, isFiltered: true },
  updated_at: { kind: 'instant', isSorted: true, isFiltered: true },
  event_count: { kind: 'number', isSorted: true },
  incident_id: { kind: 'text', isFiltered: true },
  asset_criticality: { kind: 'text', isFiltered: true },
} as const satisfies ListFields

/** Sortable and filterable fields of incidents. */
export const incidentFields = {
  severity: { kind: 'level', isSorted: true, isFiltered: true, ranks: levelRank },
  status: { kind: 'word', isSorted: true, isFiltered: true, words: mapToSelf(incidentStatuses) },
  title: { kind: 'text', isSorted: true, isFiltered: true },
  assignee: { kind: 'text', isSorted: true, isFiltered: true },
  origin: { kind: 'word', isFiltered: true, words: mapToSelf(incidentOrigins) },
  tactic: { kind: 'tactic', isFiltered: true },
  technique: { kind: 'technique', isFiltered: true },
  alert_count: { kind: 'number', isSorted: true, isFiltered: true },
  first_alert_at: { kind: 'instant', isSorted: true, isFiltered: true },
  last_alert_at: { kind: 'instant', isSorted: true, isFiltered: true },
  first_event_at: { kind: 'instant', isSorted: true, isFiltered: true },
  last_event_at: { kind: 'instant', isSorted: true, isFiltered: true },
  created_at: { kind: 'instant', isSorted: true, isFiltered: true },
  updated_at: { kind: 'instant', isSorted: true, isFiltered: true },
} as const satisfies ListFields

/** Sortable and filterable fields of the timeline of an incident. */
export const timelineFields = {
  incident_id: { kind: 'text' },
  number: { kind: 'number', isSorted: true },
  at: { kind: 'instant', isSorted: true, isFiltered: true },
  actor: { kind: 'text', isFiltered: true },
  action: { kind: 'word', isFiltered: true, words: mapToSelf(timelineActions) },
} as const satisfies ListFields

/** Sortable fields of groups of alerts. */
export const alertGroupFields = {
  count: { kind: 'number', isSorted: true },
  open: { kind: 'number', isSorted: true },
  severity: { kind: 'level', isSorted: true, ranks: levelRank },
  first_at: { kind: 'instant', isSorted: true },
  last_at: { kind: 'instant', isSorted: true },
  label: { kind: 'text', isSorted: true },
} as const satisfies ListFields

/** Sortable and filterable fields of the runs of a playbook. */
export const playbookRunFields = {
  playbook_id: { kind: 'text' },
  status: { kind: 'word', isFiltered: true, words: mapToSelf(runStatuses) },
  subject_id: { kind: 'text', isFiltered: true },
  requested_by: { kind: 'text', isFiltered: true },
  created_at: { kind: 'instant', isSorted: true, isFiltered: true },
} as const satisfies ListFields

/** Sortable and filterable fields of rule matches. */
export const matchFields = {
  rule_id: { kind: 'text' },
  timestamp: { kind: 'instant', isSorted: true, isFiltered: true },
  verdict: { kind: 'word', isFiltered: true, words: verdictWords },
  host: { kind: 'text', isFiltered: true },
  user: { kind: 'text', isFiltered: true },
  process_name: { kind: 'text', isFiltered: true },
} as const satisfies ListFields

/** Sortable and filterable fields of audit entries. */
export const auditFields = {
  at: { kind: 'instant', isSorted: true, isFiltered: true },
  actor: { kind: 'text', isFiltered: true },
  action: { kind: 'text', isFiltered: true },
  target_type: { kind: 'text', isFiltered: true },
  target_id: { kind: 'text', isFiltered: true },
  outcome: { kind: 'word', isFiltered: true, words: { success: 'success', refused: 'refused', failed: 'failed' } },
} as const satisfies ListFields

/** Sortable and filterable fields of rules; folded ones have small letters. */
export const ruleFields = {
  title: { kind: 'text', isSorted: true },
  level: { kind: 'level', isSorted: true, isFiltered: true, ranks: levelRank },
  status: {
    kind: 'word', isSorted: true, isFiltered: true, words: mapToSelf(['stable', 'test', 'experimental', 'deprecated', 'unsupported']),
  },
  enabled: { kind: 'flag', isSorted: true, isFiltered: true },
  updated_at: { kind: 'instant', isSorted: true },
  matches_total: { kind: 'number', isSorted: true },
  match_rate: { kind: 'number', isSorted: true },
  alerts_last_24h: { kind: 'number', isSorted: true },
  matches_last_24h: { kind: 'number', isSorted: true },
  cost: { kind: 'number', isSorted: true },
  tactic: { kind: 'tactic', isFiltered: true },
  technique: { kind: 'technique', isFiltered: true },
  product: { kind: 'text', isFiltered: true },
  category: { kind: 'text', isFiltered: true },
  service: { kind: 'text', isFiltered: true },
  origin: { kind: 'word', isFiltered: true, words: mapToSelf(['builtin', 'custom', 'modified']) },
  author: { kind: 'text', isFiltered: true },
  tag: { kind: 'texts', isFiltered: true },
  health: { kind: 'word', isSorted: true, isFiltered: true, words: mapToSelf(healthStates), ranks: healthRanks },
  verdict: { kind: 'word', isFiltered: true, words: mapToSelf(ruleVerdicts) },
  lifecycle: { kind: 'text' },
  product_folded: { kind: 'text' },
  category_folded: { kind: 'text' },
  service_folded: { kind: 'text' },
  author_folded: { kind: 'text' },
  tag_folded: { kind: 'texts' },
} as const satisfies ListFields

const equality = ['eq', 'ne', 'in', 'nin', 'exists'] as const
const order = ['gt', 'gte', 'lt', 'lte', 'between'] as const

/** Filter operators for each kind of field. */
export const operatorsByKind: { readonly [kind in FieldKind]: readonly FilterOperator[] } = {
  text: [...equality, 'prefix', 'contains'],
  word: equality,
  level: [...equality, ...order],
  flag: ['eq', 'ne'],
  ip: [...equality, 'cidr'],
  number: [...equality, ...order],
  instant: [...equality, ...order],
  texts: equality,
  addresses: equality,
  tactic: equality,
  technique: equality,
}

/** The names of the sortable or filterable fields of a list. */
export function getFieldNames(fields: ListFields, use: 'isSorted' | 'isFiltered'): string[] {
  return Object.keys(fields).filter((name) => fields[name]?.[use] === true)
}
