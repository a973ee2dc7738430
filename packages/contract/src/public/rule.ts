import { firstAttack, technique } from './alert.ts'
import { count, flag, instant, list, named, optional, record, text, word } from './shape.ts'
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
