/** Severities of vulnerabilities, lowest first. */
export const findingSeverities = ['low', 'medium', 'high', 'critical'] as const
type FindingSeverity = (typeof findingSeverities)[number]

export const findingStatuses = ['open', 'closed'] as const

/** What is known of a vulnerability, wherever it is found. */
export type Vulnerability = {
  readonly id: string
  readonly title: string
  readonly severity: FindingSeverity
  readonly cves: readonly string[]
  readonly cvss: number | undefined
  /** Known exploits and malware kits. */
  readonly exploitCount: number
}

/** A vulnerability as a scan found it on an asset. */
export type SeenFinding = {
  readonly vulnerability: Vulnerability
  readonly isOpen: boolean
  readonly firstFoundAt: number | undefined
  readonly lastFoundAt: number | undefined
  /** `443/tcp`. */
  readonly ports: readonly string[]
  readonly proof: string
  readonly solution: string
}

/** A vulnerability of an asset, by the source that found it. */
export type AssetFinding = Omit<SeenFinding, 'isOpen' | 'firstFoundAt' | 'lastFoundAt'> & {
  readonly id: string
  readonly assetId: string
  /** The connector of the scanner. */
  readonly source: string
  readonly status: (typeof findingStatuses)[number]
  readonly firstFoundAt: number
  readonly lastFoundAt: number
  readonly closedAt: number | undefined
  /** When it must be remediated; undefined for the lowest severity. */
  readonly dueAt: number | undefined
}

const dayMs = 86_400_000
const dueMs: { readonly [severity in FindingSeverity]: number | undefined } = {
  low: undefined, medium: 30 * dayMs, high: 7 * dayMs, critical: 0,
}

/** When a finding must be remediated: counted from when it was first found, so that another scan does not put it off. */
export function getFindingDueAt(severity: FindingSeverity, firstFoundAt: number): number | undefined {
  const ms = dueMs[severity]
  return ms === undefined ? undefined : firstFoundAt + ms
}
