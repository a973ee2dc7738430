import type { AssetFinding } from '@tripline/model/assets/finding'

// The tables of vulnerabilities, part of `Tables`. Severities are ranks, instants that are not known are 0.

export type FindingRow = VulnerabilityFactsRow & {
  readonly tenantId: string
  readonly id: string
  readonly assetId: string
  readonly source: string
  readonly vulnerabilityId: string
  readonly status: AssetFinding['status']
  readonly firstFoundAt: number
  readonly lastFoundAt: number
  /** The run that last told of it, as the moment when it began. */
  readonly confirmedAt: number
  readonly closedAt: number
  readonly dueAt: number
  /** When rules were told that it is overdue, and since when they are to hear of an exploit that is new. */
  readonly overdueToldAt: number
  readonly exploitNewsAt: number
  /** JSON. */
  readonly ports: string
  readonly proof: string
  readonly solution: string
}

type VulnerabilityFactsRow = {
  readonly title: string
  readonly severity: number
  /** JSON. */
  readonly cves: string
  /** 0 for none. */
  readonly cvssTenths: number
  readonly exploitCount: number
}

export type VulnerabilityRow = VulnerabilityFactsRow & { readonly tenantId: string; readonly id: string; readonly checkedAt: number }
