/** What an asset may be (D-65). */
export const assetTypes = [
  'server', 'workstation', 'network_device', 'mobile', 'container', 'cloud_resource', 'iot', 'application', 'unknown',
] as const
export type AssetType = (typeof assetTypes)[number]

/** How much an asset matters to its owner, from unknown to what matters most: its index is its rank. */
export const criticalities = ['unknown', 'low', 'medium', 'high', 'critical'] as const
export type Criticality = (typeof criticalities)[number]

/** How exposed an asset is, by bands of its score (D-66). */
export const riskLevels = ['low', 'medium', 'high', 'critical'] as const
export type RiskLevel = (typeof riskLevels)[number]

/** The least score of each band (D-66). */
export const riskScoreMin: { readonly [level in RiskLevel]: number } = { low: 0, medium: 1_000, high: 5_000, critical: 10_000 }

/** What is stated of an asset (D-64), in the forms of `address.ts` and `domain-name.ts`. */
export type AssetFacts = {
  /** Empty where it is known by its addresses alone. */
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
  /** When something was last heard of it, and when it was last scanned. */
  readonly lastSeenAt: number | undefined
  readonly lastScanAt: number | undefined
  /** Who told of it: imports, scanners, events. */
  readonly sources: readonly string[]
}

/** How many weaknesses were found by how bad they are, and how many can be used already. */
export type Vulnerabilities = {
  readonly critical: number
  readonly high: number
  readonly medium: number
  readonly low: number
  readonly exploitable: number
}

/** A machine, service or device of a tenant. */
export type Asset = AssetFacts & {
  readonly id: string
  /** Counts the changes, from 1. */
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** An asset of which nothing is stated. */
export const unknownAsset: AssetFacts = {
  hostname: '', ipAddresses: [], macAddresses: [], type: 'unknown', os: '', osFamily: '', criticality: 'unknown', owner: '', tags: [],
  riskScore: 0, vulnerabilities: { critical: 0, high: 0, medium: 0, low: 0, exploitable: 0 }, lastSeenAt: undefined,
  lastScanAt: undefined, sources: [],
}

/** Milliseconds after which what a scan found is old (D-64). */
const scanFreshMs = 7 * 86_400_000

/** What makes an asset the same as one that is known: its name, else its first address; undefined where it has neither. */
export function getAssetKey({ hostname = '', ipAddresses = [] }: Partial<AssetFacts>): string | undefined {
  return hostname === '' ? ipAddresses[0] : hostname
}

export function getRiskLevel(score: number): RiskLevel {
  return riskLevels.findLast((level) => riskScoreMin[level] <= score) ?? 'low'
}

/** An asset that was never scanned has no scan that could be old. */
export function isScanStale({ lastScanAt }: Pick<AssetFacts, 'lastScanAt'>, at: number): boolean {
  return lastScanAt !== undefined && at - lastScanAt > scanFreshMs
}

/** The address of an interface as twelve hex digits in pairs; undefined for what is none. */
export function normalizeMacAddress(text: string): string | undefined {
  const digits = text.length <= 32 ? text.replaceAll(/[:.-]/g, '').toLowerCase() : ''
  return /^[\da-f]{12}$/.test(digits) ? digits.replaceAll(/(..)(?=.)/g, '$1:') : undefined
}

/** What is newly stated replaces what was; what was seen later stays, and who told of it is added up. */
export function mergeAsset<Known extends AssetFacts>(known: Known, stated: Partial<AssetFacts>): Known {
  return {
    ...known,
    ...stated,
    lastSeenAt: latest(known.lastSeenAt, stated.lastSeenAt),
    lastScanAt: latest(known.lastScanAt, stated.lastScanAt),
    sources: [...new Set([...known.sources, ...(stated.sources ?? [])])],
  }
}

/** The later of two instants, where there is any. */
export function latest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b)
}
