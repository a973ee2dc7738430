import { normalizeAddress } from '@tripline/common/address'
import { normalizeHostName } from '@tripline/common/domain-name'
import { omitUndefined } from '@tripline/common/omit-undefined'
import { assetChangeSchema } from '@tripline/contract/console/enrichment/asset'
import type { AssetChange } from '@tripline/contract/console/enrichment/asset'
import { getAssetKey, normalizeMacAddress } from '@tripline/model/enrichment/asset'
import type { AssetFacts } from '@tripline/model/enrichment/asset'
import { removeDuplicates, normalizeValues, invalidBody, normalizeValue } from './normalize-value.ts'
import type { RowReader } from './open-import-file.ts'

/** Converts an asset change to its normalized facts. @throws AppError INVALID_BODY for a value that cannot be normalized. */
export function parseAssetFacts(change: AssetChange): Partial<AssetFacts> {
  const { ip_addresses, mac_addresses, os_family, risk_score, last_seen, last_scan_at, hostname, tags, sources, ...rest } = change
  return omitUndefined({
    ...rest,
    hostname: hostname && normalizeValue('hostname', hostname, normalizeHostName, 'a host name'),
    ipAddresses: ip_addresses && normalizeValues('ip_addresses', ip_addresses, normalizeAddress, 'an IP address'),
    macAddresses: mac_addresses && normalizeValues('mac_addresses', mac_addresses, normalizeMacAddress, 'a MAC address'),
    osFamily: os_family,
    tags: tags && removeDuplicates(tags),
    riskScore: risk_score,
    lastSeenAt: last_seen,
    lastScanAt: last_scan_at,
    sources: sources && removeDuplicates(sources),
  })
}

/** Assets as rows of an imported file, identified by host name or address. */
export const assetRows: RowReader<Partial<AssetFacts>, typeof assetChangeSchema> = {
  columns: {
    'hostname': 'text', 'ip_addresses': 'list', 'mac_addresses': 'list', 'type': 'word', 'os': 'text', 'os_family': 'text',
    'criticality': 'word', 'owner': 'text', 'tags': 'list', 'risk_score': 'number', 'last_seen': 'text', 'last_scan_at': 'text',
    'sources': 'list', 'vulnerabilities.critical': 'number', 'vulnerabilities.high': 'number', 'vulnerabilities.medium': 'number',
    'vulnerabilities.low': 'number', 'vulnerabilities.exploitable': 'number',
  },
  schema: assetChangeSchema,
  parseFacts: (row) => {
    const facts = { sources: ['import'], ...parseAssetFacts(row) }
    if (getAssetKey(facts) === undefined) throw invalidBody("the row has neither 'hostname' nor 'ip_addresses'")
    return facts
  },
}
