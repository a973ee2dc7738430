import { normalizeAddress } from './address.ts'
import { normalizeDomain } from './domain-name.ts'
import { normalizeNetwork } from './network.ts'

/** What an indicator names. */
export const indicatorTypes = ['ip', 'cidr', 'domain', 'url', 'hash', 'email'] as const
export type IndicatorType = (typeof indicatorTypes)[number]

/** What somebody states of an indicator. */
export type IndicatorFacts = {
  readonly type: IndicatorType
  /** In its one form: see `normalizeIndicator`. */
  readonly value: string
  /** Who says so; the same value of two sources is two indicators. */
  readonly source: string
  /** How sure the source is, from 0 to 100. */
  readonly confidence: number
  /** How bad it is, from 0 for harmless to 100. */
  readonly reputationScore: number
  readonly description: string
  /** It counts from here on, and until there if it ends. */
  readonly validFrom: number
  readonly validUntil: number | undefined
}

/** A value that tells of an attack where it is seen. */
export type Indicator = IndicatorFacts & {
  readonly id: string
  /** How often alerts had it, and when the last one did. */
  readonly hitCount: number
  readonly lastHitAt: number | undefined
  /** Counts the changes, from 1; hits are none. */
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** How sure a source is that does not say so. */
export const confidenceDefault = 50

/** From this score on, what an indicator names is called malicious. */
export const maliciousScoreMin = 50

/** Whether an indicator counts at that moment. */
export function isValidAt({ validFrom, validUntil }: Pick<IndicatorFacts, 'validFrom' | 'validUntil'>, at: number): boolean {
  return validFrom <= at && (validUntil === undefined || at < validUntil)
}

/**
 * The one form of an indicator's value, in which it is kept and looked up: defanged texts (`hxxps://evil[.]example`)
 * are mended, letters folded where their case means nothing, names turned into punycode, addresses written as
 * RFC 5952 does. Undefined for a value that is not of the type.
 */
export function normalizeIndicator(type: IndicatorType, text: string): string | undefined {
  return normalizers[type](refang(text.trim()))
}

/** The one form of a URL, as events and indicators have it: without fragment, with a scheme of the web. */
export function normalizeUrl(text: string): string | undefined {
  if (text.length > urlLengthMax || !/^(?:https?|ftp):\/\//i.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  url.hash = ''
  return url.hostname === '' ? undefined : url.href
}

/** A hash of MD5, SHA-1, SHA-256 or SHA-512, told by its length, in small letters. */
export function normalizeHash(text: string): string | undefined {
  return /^(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{64}|[\da-f]{128})$/i.test(text) ? text.toLowerCase() : undefined
}

/** An email address in small letters: that its first part may tell case apart is a rule that nobody lives by. */
export function normalizeEmail(text: string): string | undefined {
  const [, local = '', domain = ''] = /^([^\s@"<>]{1,64})@([^\s@]+)$/.exec(text) ?? []
  const name = normalizeDomain(domain)
  return local === '' || name === undefined ? undefined : `${local.normalize('NFC').toLowerCase()}@${name}`
}

const urlLengthMax = 4_096

const normalizers: { readonly [type in IndicatorType]: (text: string) => string | undefined } = {
  ip: normalizeAddress,
  cidr: normalizeNetwork,
  domain: normalizeDomain,
  url: normalizeUrl,
  hash: normalizeHash,
  email: normalizeEmail,
}

/** How reports write values so that nobody clicks on them, and what they mean. */
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
