/** Severities of vulnerabilities, lowest first. */
const findingSeverities = ['low', 'medium', 'high', 'critical'] as const
type FindingSeverity = (typeof findingSeverities)[number]

/** Numbers of vulnerabilities of an asset by severity, and of exploitable ones. */
type VulnerabilityCounts = { readonly [severity in FindingSeverity | 'exploitable']: number }

/** A machine as a scanner knows it. */
export type ScannedAsset = {
  /** The id that the scanner gave it. */
  readonly id: string
  readonly hostname: string
  readonly ipAddresses: readonly string[]
  readonly macAddresses: readonly string[]
  readonly os: string
  readonly osFamily: string
  /** A type of ours where the scanner's tells it; else `unknown`. */
  readonly type: 'server' | 'workstation' | 'network_device' | 'mobile' | 'unknown'
  readonly tags: readonly string[]
  /** A sum over its vulnerabilities, without an upper end. */
  readonly riskScore: number
  /** Undefined where the findings tell. */
  readonly vulnerabilities: VulnerabilityCounts | undefined
  /** Milliseconds since the epoch. */
  readonly lastScanAt: number | undefined
}

/** What a scanner knows of a vulnerability, wherever it is found. */
export type VulnerabilityDefinition = {
  readonly id: string
  readonly title: string
  readonly severity: FindingSeverity
  readonly cves: readonly string[]
  readonly cvss: number | undefined
  /** Known exploits and malware kits. */
  readonly exploitCount: number
}

/** A vulnerability of an asset; several instances of it, such as ports, are one finding. */
export type ScannedFinding = {
  readonly assetId: string
  readonly hostname: string
  readonly vulnerability: VulnerabilityDefinition
  readonly isOpen: boolean
  readonly firstFoundAt: number | undefined
  readonly lastFoundAt: number | undefined
  /** `443/tcp`, for each port. */
  readonly ports: readonly string[]
  /** Texts without markup. */
  readonly proof: string
  readonly solution: string
}

/** A scan that a console ran. */
type ScannedRun = {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly startedAt: number | undefined
  readonly endedAt: number | undefined
  readonly assetCount: number
}

/** What a run tells, in order. */
export type ScanRecord =
  | { readonly kind: 'asset'; readonly asset: ScannedAsset }
  /** The findings of an asset: all that are open (`isComplete`), or some. */
  | {
    readonly kind: 'findings'; readonly assetId: string; readonly hostname: string; readonly isComplete: boolean
    readonly findings: readonly ScannedFinding[]
  }
  | { readonly kind: 'scan'; readonly scan: ScannedRun }
  /** A vulnerability with an exploit: a new one, or one that was known with the vulnerability. */
  | { readonly kind: 'exploit'; readonly vulnerability: VulnerabilityDefinition; readonly isNew: boolean }
  /** A run has ended; after a full one, what it did not name is gone. */
  | { readonly kind: 'run'; readonly startedAt: number; readonly isFull: boolean }

const words: { readonly [word: string]: FindingSeverity } = {
  none: 'low', low: 'low', moderate: 'medium', medium: 'medium', severe: 'high', high: 'high', critical: 'critical',
}

/** A severity of ours for a scanner's word: they say Moderate, Severe and Critical, or low to critical. */
export function toFindingSeverity(word: string, score = 0): FindingSeverity {
  const known = words[word.toLowerCase()]
  if (known !== undefined) return known
  return score >= 9 ? 'critical' : score >= 7 ? 'high' : score >= 4 ? 'medium' : 'low'
}
