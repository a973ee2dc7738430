import { sortParameter, textParameter, wordListParameter, wordParameter } from '../../lib/url-state.ts'
import type { UrlState } from '../../lib/url-state.ts'

export const riskLevels = ['critical', 'high', 'medium', 'low'] as const
export const blindSpots = ['no_logs', 'no_scan'] as const
export const criticalities = ['unknown', 'low', 'medium', 'high', 'critical'] as const
export const assetTypes = [
  'server', 'workstation', 'network_device', 'mobile', 'container', 'cloud_resource', 'iot', 'application', 'unknown',
] as const

/** The parameters of the page's address. */
export const assetParameters = {
  q: textParameter,
  risk: wordListParameter(riskLevels),
  type: wordListParameter(assetTypes),
  criticality: wordListParameter(criticalities),
  stale: wordListParameter(blindSpots),
  exploitable: wordParameter(['true'] as const),
  /** Whether an open finding is past its date. */
  overdue: wordParameter(['true'] as const),
  tag: textParameter,
  sort: sortParameter(['hostname', 'risk_score', 'criticality', 'open_alerts', 'last_seen', 'last_scan_at', 'findings_due_at']),
  /** The asset whose panel is open. */
  asset: textParameter,
}
export type AssetUrl = UrlState<typeof assetParameters>

/** The query of the API for what the address states. */
export function toAssetQuery({ q, risk, type, criticality, stale, exploitable, overdue, tag, sort }: AssetUrl): Record<string, string> {
  return keepGiven({
    q, exploitable, overdue, tag,
    risk_level: risk?.join(),
    type: type?.join(),
    criticality: criticality?.join(),
    blind_spot: stale?.join(),
    sort: printSort(sort),
  })
}

/** The parameters of the list of findings. */
export const findingParameters = {
  q: textParameter,
  severity: wordListParameter(riskLevels),
  /** Those that are open, unless all are asked for. */
  status: wordParameter(['all'] as const),
  exploitable: wordParameter(['true'] as const),
  overdue: wordParameter(['true'] as const),
  sort: sortParameter(['severity', 'title', 'exploit_count', 'first_found', 'due_at']),
  /** The finding that was opened, and the asset whose panel is open. */
  finding: textParameter,
  asset: textParameter,
}

/** The query of the API for the findings that the address states. */
export function toFindingQuery(
  { q, severity, status, exploitable, overdue, sort }: UrlState<typeof findingParameters>,
): Record<string, string> {
  return keepGiven({
    q, exploitable, overdue, severity: severity?.join(), status: status === undefined ? 'open' : undefined, sort: printSort(sort),
  })
}

function printSort(sort: { readonly field: string; readonly direction: string } | undefined): string | undefined {
  return sort === undefined ? undefined : `${sort.field}:${sort.direction}`
}

function keepGiven(given: { readonly [name: string]: string | undefined }): Record<string, string> {
  return Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
