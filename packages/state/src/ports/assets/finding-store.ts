import type { AssetFinding, SeenFinding, Vulnerability } from '@tripline/model/assets/finding'
import type { TenantId } from '@tripline/model/tenant'
import type { TenantList } from '../list-query.ts'

/** What a scan found on an asset: all that is open, or some of it. */
export type AssetFindings = { readonly assetId: string; readonly isComplete: boolean; readonly findings: readonly SeenFinding[] }

/** What was new, and what is gone. */
export type FindingChanges = { readonly opened: readonly AssetFinding[]; readonly closed: readonly AssetFinding[] }

/** The scanner that found it, the moment, and the run that told of it, as the moment when that began. */
type FindingTerms = { readonly source: string; readonly at: number; readonly runAt: number }

/** A finding, and the name of its asset, or its first address; empty where the asset is gone. */
export type NamedFinding = AssetFinding & { readonly assetName: string }

/** Stores vulnerabilities of the assets of tenants. */
export type FindingStore = TenantList<NamedFinding> & {
  /**
   * Records what a scan found: opens what is new or came back, closes what is remediated, and where all of an asset was told,
   * what was not named. The counts and the activity of the assets follow. The same again changes nothing.
   */
  readonly record: (tenant: TenantId, found: readonly AssetFindings[], terms: FindingTerms) => Promise<FindingChanges>
  /** Closes open findings of a source that a run did not confirm, at most `limit`; returns them. */
  readonly sweep: (tenant: TenantId, terms: FindingTerms & { readonly limit: number }) => Promise<readonly AssetFinding[]>
  readonly getVulnerabilities: (tenant: TenantId, ids: readonly string[]) => Promise<ReadonlyMap<string, Vulnerability>>
  /** Stores what is known of vulnerabilities; findings of them follow. */
  readonly putVulnerabilities: (tenant: TenantId, vulnerabilities: readonly Vulnerability[], at: number) => Promise<void>
  /** Vulnerabilities without a known exploit that are open somewhere, those looked at longest ago first. */
  readonly listWithoutExploit: (tenant: TenantId, countMax: number) => Promise<readonly string[]>
}
