import { parseAddress } from '../domain/address.ts'
import { networksOf } from '../domain/network.ts'
import { withParents } from '../domain/domain-name.ts'
import { isValidAt, maliciousScoreMin } from '../domain/indicator.ts'
import type { Indicator } from '../domain/indicator.ts'
import type { Subject } from '../domain/observables.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { IndicatorStore, Sought } from '../store/indicator-store.ts'
import type { AnswerCache } from './lookup-cache.ts'

/** What is remembered of an indicator. Whether it counts is asked each time: that depends on the moment. */
export type Intel = Pick<Indicator, 'id' | 'reputationScore' | 'validFrom' | 'validUntil'>

export type IntelSources = {
  readonly cache: AnswerCache<{ readonly intel?: readonly Intel[] }>
  readonly indicators: Pick<IndicatorStore, 'find'>
}

export type IntelFound = { readonly intel: readonly Intel[]; readonly hitCount: number; readonly missCount: number }

/**
 * Finds the indicators that name a value of the subject: the value itself, a network that an address is in, a
 * domain above a name. What is not remembered is asked of the store in one go.
 */
export async function lookUpIndicators(tenant: TenantId, subject: Subject, { cache, indicators }: IntelSources): Promise<IntelFound> {
  const found: Intel[] = []
  const missing: Question[] = []
  const questions = questionsOf(subject)
  for (const question of questions) {
    const known = cache.get(tenant, question.key)?.intel
    if (known === undefined) missing.push(question)
    else found.push(...known)
  }
  const counts = { hitCount: questions.length - missing.length, missCount: missing.length }
  if (missing.length === 0) return { intel: distinct(found), ...counts }
  const generation = cache.generationOf(tenant)
  const soughtBy = new Map(missing.map(({ key, value, around }) => [key, [value, ...around()]]))
  const answers = new Map<string, Intel[]>()
  const listed = await indicators.find(tenant, distinctSought([...soughtBy.values()].flat()))
  for (const { type, value, id, reputationScore, validFrom, validUntil } of listed) {
    const key = keyOf({ type, value })
    answers.set(key, [...(answers.get(key) ?? []), { id, reputationScore, validFrom, validUntil }])
  }
  for (const [key, sought] of soughtBy) {
    const intel = sought.flatMap((one) => answers.get(keyOf(one)) ?? [])
    cache.set(tenant, key, { intel }, generation)
    found.push(...intel)
  }
  return { intel: distinct(found), ...counts }
}

/** What the indicators that count at a moment say together: as bad as the worst of them. */
export function threatOf(intel: readonly Intel[], at: number): { isMalicious: boolean; score: number; indicatorIds: string[] } {
  const counting = intel.filter((one) => isValidAt(one, at))
  const score = counting.reduce((worst, { reputationScore }) => Math.max(worst, reputationScore), 0)
  return { isMalicious: score >= maliciousScoreMin, score, indicatorIds: counting.map(({ id }) => id) }
}

/** A value of an event, under the key of its answer, and what else names it: only asked where nothing is remembered. */
type Question = { readonly key: string; readonly value: Sought; readonly around: () => readonly Sought[] }

function questionsOf({ addresses, hashes, domains, urls, emails }: Subject): Question[] {
  return [
    ...addresses.map((value) => questionOf({ type: 'ip', value }, () => networksAround(value))),
    ...hashes.map((value) => questionOf({ type: 'hash', value })),
    ...domains.map((value) => questionOf({ type: 'domain', value }, () => domainsAbove(value))),
    ...urls.map((value) => questionOf({ type: 'url', value })),
    ...emails.map((value) => questionOf({ type: 'email', value })),
  ]
}

function questionOf(value: Sought, around: Question['around'] = () => []): Question {
  return { key: keyOf(value), value, around }
}

function domainsAbove(name: string): Sought[] {
  return withParents(name).slice(1).map((value) => ({ type: 'domain', value }))
}

function networksAround(address: string): Sought[] {
  const parsed = parseAddress(address)
  return parsed === undefined ? [] : networksOf(parsed).map((value) => ({ type: 'cidr', value }))
}

function distinctSought(sought: readonly Sought[]): Sought[] {
  return [...new Map(sought.map((one) => [keyOf(one), one])).values()]
}

function keyOf({ type, value }: Sought): string {
  return `${type} ${value}`
}

function distinct(intel: readonly Intel[]): Intel[] {
  return [...new Map(intel.map((one) => [one.id, one])).values()]
}
