import { normalizeAddress } from '@tripline/common/address'
import { normalizeDomain, normalizeHostName } from '@tripline/common/domain-name'
import { listObservables } from '@tripline/engine/evaluate'
import type { NormalizedEvent, ObservableKind } from '@tripline/engine/evaluate'
import type { MatchEvent } from '../match-event.ts'
import { normalizeEmail, normalizeHash, normalizeUrl } from './indicator.ts'

/** Observables of an event, normalized for lookup, without duplicates. */
export type Observables = {
  /** As in the event; empty if absent. */
  readonly user: string
  /** Normalized by `normalizeHostName`; empty if absent. */
  readonly host: string
  /** Addresses of the machine of the event, most certain first; not those of its peers. */
  readonly hostAddresses: readonly string[]
  /** All addresses in the event. */
  readonly addresses: readonly string[]
  readonly hashes: readonly string[]
  /** Domain names, including those in URLs. */
  readonly domains: readonly string[]
  readonly urls: readonly string[]
  readonly emails: readonly string[]
}

/** Limits of extraction: values of one kind, and characters of a value. */
type ObservableBounds = { readonly valuesMax: number; readonly lengthMax: number }

/** Picks what can be looked up out of an event. Fields that hold lists count with each entry, and texts with each part. */
export function extractObservables(
  event: NormalizedEvent,
  { user, host }: Pick<MatchEvent, 'user' | 'host'>,
  bounds: ObservableBounds,
): Observables {
  const readParts = (kind: ObservableKind): string[] => splitTexts(listObservables(event, kind), bounds)
  const read = (kind: ObservableKind, normalize: (text: string) => string | undefined): string[] =>
    normalizeAll(readParts(kind), normalize, bounds)
  const urls = read('url', normalizeUrl)
  const urlHosts = urls.map((url) => new URL(url).hostname)
  const [hostAddress] = normalizeAll([host], normalizeAddress, bounds)
  const hostAddresses = distinct([...(hostAddress === undefined ? [] : [hostAddress]), ...read('hostAddress', normalizeAddress)], bounds)
  const named = readParts('domain')
  const namedAddresses = normalizeAll([...named, ...urlHosts.map(removeBrackets)], normalizeAddress, bounds)
  const addresses = [...hostAddresses, ...read('address', normalizeAddress), ...namedAddresses]
  return {
    user: user.slice(0, bounds.lengthMax),
    host: normalizeHostName(host) ?? '',
    hostAddresses,
    addresses: distinct(addresses, bounds),
    hashes: normalizeAll(readParts('hash').map(removeAlgorithm), normalizeHash, bounds),
    domains: normalizeAll([...named, ...urlHosts], normalizeDomain, bounds),
    urls,
    emails: normalizeAll([...readParts('email'), user], normalizeEmail, bounds),
  }
}

/** The parts of texts: Sysmon joins hashes with commas and answers of the DNS with semicolons. */
function splitTexts(texts: readonly string[], { valuesMax, lengthMax }: ObservableBounds): string[] {
  const short = texts.filter((text) => text.length <= lengthMax)
  return short.flatMap((text) => (isUrl(text) ? [text] : text.split(/[,;]/, valuesMax)))
}

function normalizeAll(texts: readonly string[], normalize: (text: string) => string | undefined, bounds: ObservableBounds): string[] {
  return distinct(texts.map((text) => normalize(text.trim())).filter((value) => value !== undefined), bounds)
}

function distinct(values: readonly string[], { valuesMax }: ObservableBounds): string[] {
  return [...new Set(values)].slice(0, valuesMax)
}

/** Removes the prefix of `SHA256=ab12`, as Sysmon writes hashes. An import hash is not a file hash. */
function removeAlgorithm(text: string): string {
  return text.trim().replace(/^(?:md5|sha1|sha256|sha512)=/i, '')
}

/** URLs may contain commas and semicolons. */
function isUrl(text: string): boolean {
  return /^[a-z]+:\/\//i.test(text)
}

/** URLs have IPv6 hosts in brackets. */
function removeBrackets(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host
}
