/** Types of assets. */
export const assetTypes = [
  'server', 'workstation', 'network_device', 'mobile', 'container', 'cloud_resource', 'iot', 'application', 'unknown',
] as const
export type AssetType = (typeof assetTypes)[number]

/** Criticality of an asset; its index is its rank. */
export const criticalities = ['unknown', 'low', 'medium', 'high', 'critical'] as const
type Criticality = (typeof criticalities)[number]
export const criticalityRanks: { readonly [name: string]: number } = Object.fromEntries(criticalities.map((name, rank) => [name, rank]))

/** Risk levels of an asset, derived from its score. */
export const riskLevels = ['low', 'medium', 'high', 'critical'] as const
export type RiskLevel = (typeof riskLevels)[number]

/** Minimum score of each risk level. */
export const riskScoreMin: { readonly [level in RiskLevel]: number } = { low: 0, medium: 1_000, high: 5_000, critical: 10_000 }

/** Facts about an asset, in the normalized forms of `address.ts` and `domain-name.ts`. */
export type AssetFacts = {
  /** Empty if only its addresses are known. */
  readonly hostname: string
  readonly ipAddresses: readonly string[]
  readonly macAddresses: readonly string[]
  readonly type: AssetType
  readonly os: string
  readonly osFamily: string
  readonly criticality: Criticality
  readonly owner: string
  readonly tags: readonly string[]
  readonly riskScore: number
  readonly vulnerabilities: Vulnerabilities
  /** When it was last seen in events, and last scanned. */
  readonly lastSeenAt: number | undefined
  readonly lastScanAt: number | undefined
  /** When anything first told of it, and when it last sent an event itself. */
  readonly firstSeenAt?: number | undefined
  readonly lastLogAt?: number | undefined
  /** Where the facts come from: imports, scanners, events. */
  readonly sources: readonly string[]
}

/** Numbers of vulnerabilities by severity, and of exploitable ones. */
type Vulnerabilities = {
  readonly critical: number
  readonly high: number
  readonly medium: number
  readonly low: number
  readonly exploitable: number
}

/** A machine, service or device of a tenant. */
export type Asset = AssetFacts & {
  readonly id: string
  /** Counts the changes, from 1; and the version that the last edit made, which is older if the system has added to it since. */
  readonly version: number
  readonly editedVersion: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** An asset without any facts. */
export const unknownAsset: AssetFacts = {
  hostname: '', ipAddresses: [], macAddresses: [], type: 'unknown', os: '', osFamily: '', criticality: 'unknown', owner: '', tags: [],
  riskScore: 0, vulnerabilities: { critical: 0, high: 0, medium: 0, low: 0, exploitable: 0 }, lastSeenAt: undefined,
  lastScanAt: undefined, sources: [],
}

/** Age in milliseconds after which a scan is stale. */
const scanFreshMs = 7 * 86_400_000

/** What an import knows an asset by: its name, else its first address or interface; undefined without any. */
export function getAssetKey({ hostname = '', ipAddresses = [], macAddresses = [] }: Partial<AssetFacts>): string | undefined {
  return hostname === '' ? ipAddresses[0] ?? macAddresses[0] : hostname
}

export function getRiskLevel(score: number): RiskLevel {
  return riskLevels.findLast((level) => riskScoreMin[level] <= score) ?? 'low'
}

/** An asset that was never scanned is not stale. */
export function isScanStale({ lastScanAt }: Pick<AssetFacts, 'lastScanAt'>, at: number): boolean {
  return lastScanAt !== undefined && at - lastScanAt > scanFreshMs
}

/** Normalizes a MAC address to hex pairs; undefined for anything else. */
export function normalizeMacAddress(text: string): string | undefined {
  const digits = text.length <= 32 ? text.replaceAll(/[:.-]/g, '').toLowerCase() : ''
  return /^[\da-f]{12}$/.test(digits) ? digits.replaceAll(/(..)(?=.)/g, '$1:') : undefined
}

/** Merges new facts into known ones: later times win, sources are combined. */
export function mergeAsset<Known extends AssetFacts>(known: Known, stated: Partial<AssetFacts>): Known {
  return {
    ...known,
    ...stated,
    lastSeenAt: latest(known.lastSeenAt, stated.lastSeenAt),
    lastScanAt: latest(known.lastScanAt, stated.lastScanAt),
    sources: [...new Set([...known.sources, ...(stated.sources ?? [])])],
  }
}

/** The later of two optional times. */
export function latest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b)
}
