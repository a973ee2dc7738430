import { limits } from '../limits.ts'
import { firstAttack, technique } from './alert.ts'
import { searchText, severityWords, texts, words } from './parameters.ts'
import { count, flag, instant, list, named, optional, record, text, word } from './shape.ts'
import type { ValueOf } from './shape.ts'
import { ruleStatuses, severities } from './vocabulary.ts'

/** A detection rule in a list. */
export const publicRule = record({
  id: text,
  title: text,
  description: text,
  severity: word(severities),
  status: word(ruleStatuses),
  ...firstAttack,
  mitre_tactics: list(text),
  mitre_techniques: list(technique),
  enabled: flag,
  author: text,
  log_source: record({ product: optional(text), category: optional(text), service: optional(text) }),
  tags: list(text),
  /** Matches of the last 24 hours. */
  matches_24h: named(count, { a: 'matches24h' }),
  created_at: instant,
  updated_at: instant,
})
export type PublicRule = ValueOf<typeof publicRule>

/** The filters of the list of rules. */
export const ruleParameters = {
  search: searchText(limits.state.soughtLengthMax),
  severity: severityWords,
  status: words(ruleStatuses),
  /** A tactic by id or name, or a technique by id. */
  mitre: texts,
} as const
