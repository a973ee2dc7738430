import { normalizeAddress } from '@tripline/common/address'
import { isLoopback, parseNetwork } from '@tripline/common/network'
import { normalizeIndicator } from '@tripline/model/enrichment/indicator'
import type { IndicatorFacts, IndicatorType } from '@tripline/model/enrichment/indicator'
import { limits } from '../../limits.ts'

/** An indicator as a feed states it; its source is the feed. */
type FeedIndicator = Pick<IndicatorFacts, 'type' | 'value' | 'validUntil'> &
  Partial<Pick<IndicatorFacts, 'confidence' | 'description' | 'validFrom'>>

/** Counted, so they quote nothing of the feed. */
const unusableReasons = [
  'the pattern is not a single comparison',
  'the pattern is in another language than STIX',
  'the pattern compares what indicators do not have',
  'the type is not one of indicators',
  'the value does not fit its type',
  'the value would match nearly everything',
  'it is no longer valid',
  'its times contradict each other',
  'the row cannot be read',
] as const

/** Why an entry of a feed is no indicator here. */
export type UnusableReason = (typeof unusableReasons)[number]

/** One entry of a feed: an indicator, one that is no longer valid, or why it cannot be used. */
export type FeedItem =
  | { readonly indicator: FeedIndicator }
  | { readonly ended: Pick<IndicatorFacts, 'type' | 'value'> }
  | { readonly unusable: UnusableReason }

type TypedValue = Pick<IndicatorFacts, 'type' | 'value'>

/** Types by what their values look like; a domain last, because nearly every text could be one. */
const guessedTypes: readonly IndicatorType[] = ['ip', 'cidr', 'hash', 'url', 'email', 'domain']

/** Normalizes a value of a stated type, or of the type that it looks like. */
export function readTypedValue(type: IndicatorType | undefined, text: string): TypedValue | { readonly unusable: UnusableReason } {
  if (text.length > limits.feeds.valueLengthMax) return { unusable: 'the value does not fit its type' }
  for (const guessed of listTypes(type, text)) {
    const value = normalizeIndicator(guessed, text)
    if (value === undefined) continue
    return isTooBroad(guessed, value) ? { unusable: 'the value would match nearly everything' } : { type: guessed, value }
  }
  return { unusable: 'the value does not fit its type' }
}

/** Addresses and networks are the same to many feeds; the prefix says which it is. */
function listTypes(type: IndicatorType | undefined, text: string): readonly IndicatorType[] {
  if (type === 'ip' || type === 'cidr') return [text.includes('/') ? 'cidr' : 'ip']
  return type === undefined ? guessedTypes : [type]
}

/** Whether a value is in a large part of all events: our own machine, a large part of all addresses. */
function isTooBroad(type: IndicatorType, value: string): boolean {
  if (type === 'ip') return isLoopback(value) || value === '0.0.0.0' || value === normalizeAddress('::')
  if (type !== 'cidr') return false
  const { prefix = 0 } = parseNetwork(value) ?? {}
  return prefix < (value.includes(':') ? limits.feeds.prefixMinV6 : limits.feeds.prefixMinV4)
}
