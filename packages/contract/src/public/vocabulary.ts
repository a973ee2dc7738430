import { profiles } from './profile.ts'
import type { ByProfile, Profile } from './profile.ts'

/** The words of an enumeration: internal words in order, each with its word in both profiles. */
export type Vocabulary<Word extends string = string> = { readonly [word in Word]: ByProfile<string> }

/** The words of a profile, in order and each once. */
export function listWords(vocabulary: Vocabulary, profile: Profile): readonly string[] {
  return [...new Set(Object.values(vocabulary).map((words) => words[profile]))]
}

/** The internal words that a word of a profile stands for: several where the profile does not tell them apart. */
export function expandWord<Word extends string>(vocabulary: Vocabulary<Word>, profile: Profile, word: string): readonly Word[] {
  return listInternalWords(vocabulary).filter((internal) => vocabulary[internal][profile] === word)
}

/** The internal words of a vocabulary, in order. */
export function listInternalWords<Word extends string>(vocabulary: Vocabulary<Word>): readonly Word[] {
  return Object.keys(vocabulary).filter((word): word is Word => Object.hasOwn(vocabulary, word))
}

/** The same word everywhere. */
function shared<Word extends string>(words: readonly Word[]): Vocabulary<Word> {
  return mapWords(words, (word) => word)
}

/** Capital letters in A. */
function capitalInA<Word extends string>(words: readonly Word[]): Vocabulary<Word> {
  return mapWords(words, (word, profile) => (profile === 'a' ? word.toUpperCase() : word))
}

function mapWords<Word extends string>(words: readonly Word[], toWord: (word: Word, profile: Profile) => string): Vocabulary<Word> {
  const entries = words.map((word) => [word, Object.fromEntries(profiles.map((profile) => [profile, toWord(word, profile)]))] as const)
  return Object.fromEntries(entries) as Vocabulary<Word>
}

export const severities = shared(['critical', 'high', 'medium', 'low', 'info'])

export const alertStatuses = capitalInA(['open', 'in_progress', 'resolved', 'false_positive'])

export const verdicts = shared(['true_positive', 'false_positive', 'benign', 'unreviewed'])

/** A profile that shows several statuses as one means the first of them when it writes. */
export const incidentStatusWords = {
  open: { a: 'OPEN', b: 'open' },
  investigating: { a: 'OPEN', b: 'investigating' },
  contained: { a: 'CONTAINED', b: 'contained' },
  eradicated: { a: 'ERADICATED', b: 'contained' },
  recovered: { a: 'RECOVERED', b: 'resolved' },
  closed: { a: 'CLOSED', b: 'closed' },
} as const satisfies Vocabulary

export const ruleStatuses = capitalInA(['active', 'inactive', 'draft'])

export const controlStatuses = capitalInA(['compliant', 'partial', 'non_compliant', 'not_assessed'])

export const evidenceJobStatuses = capitalInA(['queued', 'running', 'succeeded', 'failed'])

export const collectorStatuses = {
  pending: { a: 'pending', b: 'pending' },
  online: { a: 'online', b: 'connected' },
  degraded: { a: 'degraded', b: 'degraded' },
  offline: { a: 'offline', b: 'disconnected' },
  retired: { a: 'retired', b: 'retired' },
} as const satisfies Vocabulary

export const assetTypeWords = shared([
  'server', 'workstation', 'network_device', 'mobile', 'container', 'cloud_resource', 'iot', 'application', 'unknown',
])

export const criticalityWords = shared(['unknown', 'low', 'medium', 'high', 'critical'])

export const riskLevelWords = shared(['low', 'medium', 'high', 'critical'])
