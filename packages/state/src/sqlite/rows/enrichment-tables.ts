import type { AssetType } from '@tripline/model/enrichment/asset'
import type { IndicatorType } from '@tripline/model/enrichment/indicator'
import type { Flag } from '../query/dialect.ts'

// The tables of assets, directory users, indicators and subdomains, part of `Tables`.

export type AssetRow = {
  readonly tenantId: string
  readonly id: string
  readonly naturalKey: string
  readonly hostname: string
  readonly ipAddresses: string
  readonly macAddresses: string
  readonly type: AssetType
  readonly os: string
  readonly osFamily: string
  /** The rank, so that lists sort by criticality. */
  readonly criticality: number
  readonly owner: string
  readonly tags: string
  readonly riskScore: number
  readonly criticalCount: number
  readonly highCount: number
  readonly mediumCount: number
  readonly lowCount: number
  readonly exploitableCount: number
  /** Unknown instants are 0. */
  readonly lastSeenAt: number
  readonly lastScanAt: number
  readonly sources: string
  readonly version: number
  readonly editedVersion: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly firstSeenAt: number
  readonly lastLogAt: number
  readonly isInferred: Flag
}

export type AssetAddressRow = { readonly tenantId: string; readonly address: string; readonly assetId: string }

export type PersonRow = {
  readonly tenantId: string
  readonly id: string
  readonly name: string
  readonly email: string
  readonly department: string
  readonly isPrivileged: Flag
  readonly aliases: string
  readonly lastSeenAt: number
  readonly sources: string
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** Names that a directory user is found by; the lowest rank is the best match. */
export type PersonNameRow = { readonly tenantId: string; readonly name: string; readonly personId: string; readonly rank: number }

export type IndicatorRow = {
  readonly tenantId: string
  readonly id: string
  readonly type: IndicatorType
  readonly value: string
  readonly source: string
  readonly confidence: number
  readonly reputationScore: number
  readonly description: string
  readonly validFrom: number
  /** The largest instant if there is no end. */
  readonly validUntil: number
  readonly hitCount: number
  readonly lastHitAt: number
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

export type SubdomainRow = {
  readonly tenantId: string
  readonly id: string
  readonly name: string
  readonly domain: string
  readonly ip: string
  readonly sources: string
  /** Whether an import told of it, so that it is not evicted. */
  readonly isImported: Flag
  /** Unknown instants are 0. */
  readonly firstSeenAt: number
  readonly lastSeenAt: number
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}
