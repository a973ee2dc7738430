import { normalizeAddress } from '@tripline/common/address'
import { getPath } from '@tripline/common/get-path'
import { isJsonObject } from '@tripline/common/json'
import { listObservables } from '@tripline/engine/evaluate'
import type { NormalizedEvent } from '@tripline/engine/evaluate'
import { foldLoginName } from '@tripline/model/enrichment/directory-user'
import { normalizeEmail } from '@tripline/model/enrichment/indicator'
import { findOwnDomain, normalizeSubdomain } from '@tripline/model/enrichment/subdomain'
import type { SubdomainSighting, SubdomainSource } from '@tripline/model/enrichment/subdomain'
import { isTelling } from '@tripline/model/incidents/grouping'

/** Fields in which events name the host that was asked for: Sysmon, ECS, Zeek, Suricata, W3C logs of web servers. */
const nameFields: readonly (readonly [source: SubdomainSource, fields: readonly string[]])[] = [
  ['dns', ['QueryName', 'query', 'dns.question.name', 'dns.rrname', 'dns_query', 'qname', 'query_name']],
  ['tls', ['tls.client.server_name', 'server_name', 'tls.sni', 'tls_sni', 'sni', 'ssl_server_name']],
  ['http', [
    'url.domain', 'http.hostname', 'cs-host', 'r-dns', 'http_host', 'http.request.host', 'destination.domain', 'DestinationHostname',
  ]],
]
/** Fields in which events state a whole address. */
const urlFields = ['url.full', 'url.original', 'url', 'c-uri', 'cs-uri', 'http.url', 'request_url', 'requestUrl', 'DestinationUrl']

/** Fields with addresses that a name had: those of the answer, else where the connection went to. */
const answerFields = ['dns.resolved_ip', 'answers', 'dns.answers', 'QueryResults']
const destinationFields = [
  'id.resp_h', 'dest_ip', 'destination.ip', 'destination.address', 'DestinationIp', 'dst_ip', 'server.ip', 's-ip', 'r-ip',
]

/** A host name that an event tells of. */
type NameFacts = Pick<SubdomainSighting, 'name' | 'domain' | 'ip' | 'source'>

/** Reads the host names of an event that are under some domains. */
export function readSubdomains(event: NormalizedEvent, ownDomains: readonly string[]): readonly NameFacts[] {
  const { fields } = event
  // Zeek's http.log: `host` is the site there, and the machine everywhere else.
  const isRequest = typeof fields['host'] === 'string' && (Object.hasOwn(fields, 'uri') || Object.hasOwn(fields, 'status_code'))
  const stated = [
    ...nameFields.flatMap(([source, names]) => readTexts(fields, names).map((text) => ({ source, text }))),
    ...readTexts(fields, isRequest ? ['host'] : []).map((text) => ({ source: 'http' as const, text })),
    ...readTexts(fields, urlFields).map((text) => ({ source: 'http' as const, text: readHost(text) })),
  ]
  const found = new Map<string, NameFacts>()
  for (const { source, text } of stated) {
    const name = normalizeSubdomain(text)
    const domain = name === undefined ? undefined : findOwnDomain(name, ownDomains)
    if (name === undefined || domain === undefined) continue
    const ip = readAddresses(fields, source === 'dns' ? answerFields : destinationFields)[0] ?? ''
    found.set(`${source} ${name}`, { name, domain, ip, source })
  }
  return [...found.values()]
}

/** A person or service that an event names; `CORP\\alice` and `alice@corp.example` stay whole. */
export function readUser(event: NormalizedEvent): { readonly name: string; readonly email: string } | undefined {
  const [user = ''] = listObservables(event, 'user')
  const name = foldLoginName(user)
  const plain = name.slice(name.lastIndexOf('\\') + 1)
  const isMachine = plain.endsWith('$') || /^(?:dwm|umfd)-\d+$/.test(plain)
  if (name === '' || name.length > 255 || isMachine || !isTelling(name) || !isTelling(plain) || /^\d+$/.test(plain)) return undefined
  const [stated = ''] = readTexts(event.fields, ['user.email', 'actor.email', 'actor.user.email'])
  return { name, email: normalizeEmail(stated) ?? normalizeEmail(name) ?? '' }
}

/** The host of an address such as `https://a.example/x`, or of `a.example:443`. */
function readHost(text: string): string {
  if (URL.canParse(text) && text.includes('://')) return new URL(text).hostname
  return /^([\w.-]+):\d{1,5}$/.exec(text)?.[1] ?? ''
}

function readAddresses(fields: NormalizedEvent['fields'], names: readonly string[]): readonly string[] {
  return readTexts(fields, names)
    .flatMap((text) => text.split(/[;,\s]+/))
    .map((text) => normalizeAddress(text.replace(/^::ffff:(?=\d)/i, '')))
    .filter((address) => address !== undefined)
}

/** The texts of fields; of a list those of its entries, or the `data` of entries that are objects, as ECS lists answers. */
function readTexts(fields: NormalizedEvent['fields'], names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const value = getPath(fields, name)
    return (Array.isArray(value) ? value.slice(0, 16) : [value])
      .map((entry: unknown): unknown => (isJsonObject(entry) ? entry['data'] ?? entry['rdata'] : entry))
      .filter((entry): entry is string => typeof entry === 'string' && entry !== '' && entry.length <= 4_096)
  })
}
