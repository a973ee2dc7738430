import { normalizeAddress } from './address.ts'
import { normalizeDomain, normalizeHostName } from './domain-name.ts'
import { getPath } from './get-path.ts'
import { normalizeEmail, normalizeHash, normalizeUrl } from './indicator.ts'
import type { MatchEvent } from './match-event.ts'

/** What an event is about, in the forms in which it can be looked up; each value once. */
export type Observables = {
  /** As the event has it; empty where it has none. */
  readonly user: string
  /** In the form of `normalizeHostName`; empty where there is none. */
  readonly host: string
  /** Addresses of the machine that it happened on, the surest first; not those of whom that machine talked to. */
  readonly hostAddresses: readonly string[]
  /** All addresses in it. */
  readonly addresses: readonly string[]
  readonly hashes: readonly string[]
  /** Names of the DNS, those in URLs too. */
  readonly domains: readonly string[]
  readonly urls: readonly string[]
  readonly emails: readonly string[]
}

/** How much is taken out of an event: values of one kind, and characters of a value. */
export type ObservableBounds = { readonly valuesMax: number; readonly lengthMax: number }

/**
 * Where events of different products keep what can be looked up: Sysmon and Windows Security, ECS, cloud audit,
 * proxies and firewalls. Unlike what a match shows, all fields count and not the first alone.
 */
const observableFields = {
  hostAddresses: ['host.ip', 'host_ip', 'device_ip', 'src_ip', 'SourceIp', 'source.ip', 'source.address', 'c-ip', 'client.ip'],
  addresses: [
    'dst_ip', 'DestinationIp', 'destination.ip', 'destination.address', 'server.ip', 'IpAddress', 'SourceAddress', 'DestAddress',
    'sourceIPAddress', 'source_ip', 'destination_ip', 'dest_ip', 'remote_ip', 'client_ip', 'ClientAddress', 'ClientIP', 's-ip', 'r-ip',
    'cs-ip', 'src', 'dst', 'ip', 'callerIpAddress', 'ActorIpAddress', 'dns.resolved_ip', 'QueryResults',
  ],
  hashes: [
    'Hashes', 'Hash', 'hash', 'md5', 'sha1', 'sha256', 'sha512', 'file.hash.md5', 'file.hash.sha1', 'file.hash.sha256',
    'file.hash.sha512', 'process.hash.md5', 'process.hash.sha1', 'process.hash.sha256', 'process.hash.sha512', 'dll.hash.sha256',
    'FileHash', 'hashes',
  ],
  domains: [
    'QueryName', 'query', 'dns.question.name', 'dns_query', 'DestinationHostname', 'destination.domain', 'url.domain', 'server.domain',
    'cs-host', 'r-dns', 'domain', 'tls.client.server_name', 'server_name', 'QueryResults',
  ],
  urls: ['url', 'url.full', 'url.original', 'c-uri', 'cs-uri', 'http.url', 'request_url', 'requestUrl', 'DestinationUrl'],
  emails: [
    'email.from.address', 'email.sender.address', 'email.reply_to.address', 'email.to.address', 'sender', 'SenderAddress', 'from',
    'P1Sender', 'P2Sender', 'user.email',
  ],
} as const satisfies { readonly [kind: string]: readonly string[] }

/** Picks what can be looked up out of an event. Fields that hold lists count with each entry, and texts with each part. */
export function extractObservables(
  event: { readonly [field: string]: unknown },
  { user, host }: Pick<MatchEvent, 'user' | 'host'>,
  bounds: ObservableBounds,
): Observables {
  const read = (kind: keyof typeof observableFields, normalize: (text: string) => string | undefined): string[] =>
    normalizeAll(readTexts(event, observableFields[kind], bounds), normalize, bounds)
  const urls = read('urls', normalizeUrl)
  const urlHosts = urls.map((url) => new URL(url).hostname)
  const [hostAddress] = normalizeAll([host], normalizeAddress, bounds)
  const hostAddresses = distinct([...(hostAddress === undefined ? [] : [hostAddress]), ...read('hostAddresses', normalizeAddress)], bounds)
  const named = readTexts(event, observableFields.domains, bounds)
  const namedAddresses = normalizeAll([...named, ...urlHosts.map(removeBrackets)], normalizeAddress, bounds)
  const addresses = [...hostAddresses, ...read('addresses', normalizeAddress), ...namedAddresses]
  return {
    user: user.slice(0, bounds.lengthMax),
    host: normalizeHostName(host) ?? '',
    hostAddresses,
    addresses: distinct(addresses, bounds),
    hashes: normalizeAll(readTexts(event, observableFields.hashes, bounds).map(removeAlgorithm), normalizeHash, bounds),
    domains: normalizeAll([...named, ...urlHosts], normalizeDomain, bounds),
    urls,
    emails: normalizeAll([...readTexts(event, observableFields.emails, bounds), user], normalizeEmail, bounds),
  }
}

/** The parts of texts in some fields; Sysmon joins hashes with commas and answers of the DNS with semicolons. */
function readTexts(
  event: { readonly [field: string]: unknown },
  fields: readonly string[],
  { valuesMax, lengthMax }: ObservableBounds,
): string[] {
  const texts: string[] = []
  for (const field of fields) {
    const value = getPath(event, field)
    const entries: readonly unknown[] = Array.isArray(value) ? value.slice(0, valuesMax) : [value]
    for (const entry of entries) {
      if (typeof entry !== 'string' || entry === '' || entry.length > lengthMax) continue
      texts.push(...(isUrl(entry) ? [entry] : entry.split(/[,;]/, valuesMax)))
    }
  }
  return texts
}

function normalizeAll(texts: readonly string[], normalize: (text: string) => string | undefined, bounds: ObservableBounds): string[] {
  return distinct(texts.map((text) => normalize(text.trim())).filter((value) => value !== undefined), bounds)
}

function distinct(values: readonly string[], { valuesMax }: ObservableBounds): string[] {
  return [...new Set(values)].slice(0, valuesMax)
}

/** `SHA256=ab12`, as Sysmon writes hashes. An import hash is no hash of a file. */
function removeAlgorithm(text: string): string {
  return text.trim().replace(/^(?:md5|sha1|sha256|sha512)=/i, '')
}

/** A URL may hold commas and semicolons of its own. */
function isUrl(text: string): boolean {
  return /^[a-z]+:\/\//i.test(text)
}

/** An IPv6 address as a URL's host stands in brackets. */
function removeBrackets(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host
}
