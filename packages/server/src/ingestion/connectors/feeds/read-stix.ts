import { isJsonObject } from '@tripline/common/json'
import { omitUndefined } from '@tripline/common/omit-undefined'
import { limits } from '../../limits.ts'
import type { FeedItem } from './feed-item.ts'
import { readStixPattern } from './stix-pattern.ts'

/** What holds for all entries of a feed. */
export type FeedTerms = {
  /** The confidence of entries that state none; undefined to leave it open. */
  readonly confidence: number | undefined
  /** Milliseconds for which an entry without an end is valid; undefined for good. */
  readonly expireAfterMs: number | undefined
}

/** Reads a STIX 2.x object; undefined for one that is no indicator. */
export function readStixObject(object: unknown, { confidence, expireAfterMs }: FeedTerms, at: number): FeedItem | undefined {
  if (!isJsonObject(object) || object['type'] !== 'indicator') return undefined
  const { pattern, pattern_type: language = 'stix', revoked } = object
  if (language !== 'stix' || typeof pattern !== 'string') return { unusable: 'the pattern is in another language than STIX' }
  const value = readStixPattern(pattern)
  if ('unusable' in value) return value
  const validFrom = readInstant(object['valid_from'])
  const statedEnd = readInstant(object['valid_until'])
  if (validFrom !== undefined && statedEnd !== undefined && statedEnd <= validFrom) return { unusable: 'its times contradict each other' }
  const beganAt = readInstant(object['modified']) ?? validFrom ?? at
  const validUntil = statedEnd ?? (expireAfterMs === undefined ? undefined : beganAt + expireAfterMs)
  if (revoked === true || (validUntil !== undefined && validUntil <= at)) return { ended: value }
  const facts = omitUndefined({ confidence: readPercent(object['confidence']) ?? confidence, validFrom })
  return { indicator: { ...value, ...facts, validUntil, description: describe(object['name'], object['description']) } }
}

/** Reads a time of RFC 3339. */
export function readInstant(text: unknown): number | undefined {
  if (typeof text !== 'string' || text.length > limits.feeds.instantLengthMax || !/^\d{4}-\d\d-\d\d/.test(text)) return undefined
  const at = Date.parse(text)
  return Number.isFinite(at) ? at : undefined
}

function readPercent(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= 100 ? Math.round(value) : undefined
}

function describe(...texts: readonly unknown[]): string {
  return texts.filter((text) => typeof text === 'string' && text.trim() !== '').join(': ').slice(0, limits.feeds.descriptionLengthMax)
}
