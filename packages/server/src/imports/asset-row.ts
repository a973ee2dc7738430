import { assetChangeSchema } from '../contract/asset.ts'
import type { AssetChange } from '../contract/asset.ts'
import { normalizeAddress } from '../domain/address.ts'
import { assetKey, normalizeMacAddress } from '../domain/asset.ts'
import type { AssetFacts } from '../domain/asset.ts'
import { normalizeHostName } from '../domain/domain-name.ts'
import { distinct, eachNormalized, invalidBody, normalized, stated } from './normalize-value.ts'
import type { RowReader } from './open-import-file.ts'

/** What an asset's change states, in its one form. @throws AppError INVALID_BODY for a value that has none. */
export function assetFactsOf(change: AssetChange): Partial<AssetFacts> {
  const { ip_addresses, mac_addresses, os_family, risk_score, last_seen, last_scan_at, hostname, tags, sources, ...rest } = change
  return stated({
    ...rest,
    hostname: hostname && normalized('hostname', hostname, normalizeHostName, 'a host name'),
    ipAddresses: ip_addresses && eachNormalized('ip_addresses', ip_addresses, normalizeAddress, 'an IP address'),
    macAddresses: mac_addresses && eachNormalized('mac_addresses', mac_addresses, normalizeMacAddress, 'a MAC address'),
    osFamily: os_family,
    tags: tags && distinct(tags),
    riskScore: risk_score,
    lastSeenAt: last_seen,
    lastScanAt: last_scan_at,
    sources: sources && distinct(sources),
  })
}

/** An asset as a row of a file states it: with a name or an address, by which it is known again. */
export const assetRows: RowReader<Partial<AssetFacts>, typeof assetChangeSchema> = {
  columns: {
    'hostname': 'text', 'ip_addresses': 'list', 'mac_addresses': 'list', 'type': 'word', 'os': 'text', 'os_family': 'text',
    'criticality': 'word', 'owner': 'text', 'tags': 'list', 'risk_score': 'number', 'last_seen': 'text', 'last_scan_at': 'text',
    'sources': 'list', 'vulnerabilities.critical': 'number', 'vulnerabilities.high': 'number', 'vulnerabilities.medium': 'number',
    'vulnerabilities.low': 'number', 'vulnerabilities.exploitable': 'number',
  },
  schema: assetChangeSchema,
  factsOf: (row) => {
    const facts = { sources: ['import'], ...assetFactsOf(row) }
    if (assetKey(facts) === undefined) throw invalidBody("the row has neither 'hostname' nor 'ip_addresses'")
    return facts
  },
}
