import { normalizeAddress } from '@tripline/common/address'
import { normalizeDomain } from '@tripline/common/domain-name'
import { normalizeNetwork } from '@tripline/common/network'

/** Types of indicators. */
export const indicatorTypes = ['ip', 'cidr', 'domain', 'url', 'hash', 'email'] as const
export type IndicatorType = (typeof indicatorTypes)[number]

/** Facts about an indicator. */
export type IndicatorFacts = {
  readonly type: IndicatorType
  /** Normalized by `normalizeIndicator`. */
  readonly value: string
  /** Its source; the same value from two sources is two indicators. */
  readonly source: string
  /** Confidence of the source, from 0 to 100. */
  readonly confidence: number
  /** Reputation, from 0 for harmless to 100. */
  readonly reputationScore: number
  readonly description: string
  /** Validity period; without an end it does not expire. */
  readonly validFrom: number
  readonly validUntil: number | undefined
}

/** An indicator: a value that points to an attack where it occurs. */
export type Indicator = IndicatorFacts & {
  readonly id: string
  /** Number of alerts with it, and the time of the last one. */
  readonly hitCount: number
  readonly lastHitAt: number | undefined
  /** Counts changes, from 1; hits do not count. */
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** Default confidence. */
export const confidenceDefault = 50

/** Minimum reputation score of a malicious indicator. */
export const maliciousScoreMin = 50

/** Whether an indicator is valid at a time. */
export function isValidAt({ validFrom, validUntil }: Pick<IndicatorFacts, 'validFrom' | 'validUntil'>, at: number): boolean {
  return validFrom <= at && (validUntil === undefined || at < validUntil)
}

/** What an indicator is at a time: it enriches alerts of the time in which it is valid. */
export function getIndicatorStatus(span: Pick<IndicatorFacts, 'validFrom' | 'validUntil'>, at: number): 'upcoming' | 'valid' | 'expired' {
  if (isValidAt(span, at)) return 'valid'
  return span.validUntil !== undefined && span.validUntil <= at ? 'expired' : 'upcoming'
}

const normalizers: { readonly [type in IndicatorType]: (text: string) => string | undefined } = {
  ip: normalizeAddress,
  cidr: normalizeNetwork,
  domain: normalizeDomain,
  url: normalizeUrl,
  hash: normalizeHash,
  email: normalizeEmail,
}

/**
 * Normalizes an indicator value for storage and lookup: refangs it (`hxxps://evil[.]example`), folds insignificant case,
 * converts names to punycode and addresses to RFC 5952 form. Undefined for a value that is not of the type.
 */
export function normalizeIndicator(type: IndicatorType, text: string): string | undefined {
  return normalizers[type](refang(text.trim()))
}

const urlLengthMax = 4_096

/** Normalizes a URL as events and indicators have it: web schemes only, without fragment. */
export function normalizeUrl(text: string): string | undefined {
  if (text.length > urlLengthMax || !/^(?:https?|ftp):\/\//i.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  url.hash = ''
  return url.hostname === '' ? undefined : url.href
}

/** Normalizes an MD5, SHA-1, SHA-256 or SHA-512 hash, recognised by its length. */
export function normalizeHash(text: string): string | undefined {
  return /^(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{64}|[\da-f]{128})$/i.test(text) ? text.toLowerCase() : undefined
}

/** Normalizes an email address to lower case; in practice the local part is case-insensitive. */
export function normalizeEmail(text: string): string | undefined {
  const [, local = '', domain = ''] = /^([^\s@"<>]{1,64})@([^\s@]+)$/.exec(text) ?? []
  const name = normalizeDomain(domain)
  return local === '' || name === undefined ? undefined : `${local.normalize('NFC').toLowerCase()}@${name}`
}

/** Defanged notations in reports, and their meaning. */
const defanged: readonly (readonly [pattern: RegExp, meaning: string])[] = [
  [/^h(?:xx|\*\*|tt)p(s?)(?=:|\[:)/i, 'http$1'],
  [/^fxp(?=:|\[:)/i, 'ftp'],
  [/\[:\/\/\]/g, '://'],
  [/\[:\]/g, ':'],
  [/\[\/\]/g, '/'],
  [/\s?[[({](?:\.|dot)[\])}]\s?/gi, '.'],
  [/\s?[[({](?:@|at)[\])}]\s?/gi, '@'],
  [/\\\./g, '.'],
]

function refang(text: string): string {
  return defanged.reduce((mended, [pattern, meaning]) => mended.replace(pattern, meaning), text)
}
