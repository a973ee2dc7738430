import { sortParameter, textParameter, wordListParameter, wordParameter } from '../../lib/url-state.ts'
import type { UrlState } from '../../lib/url-state.ts'

export const riskLevels = ['critical', 'high', 'medium', 'low'] as const
export const blindSpots = ['no_logs', 'no_scan'] as const
const types = ['server', 'workstation', 'network_device', 'mobile', 'container', 'cloud_resource', 'iot', 'application', 'unknown'] as const

/** The parameters of the page's address. */
export const assetParameters = {
  q: textParameter,
  risk: wordListParameter(riskLevels),
  type: wordListParameter(types),
  stale: wordListParameter(blindSpots),
  exploitable: wordParameter(['true'] as const),
  tag: textParameter,
  sort: sortParameter(['hostname', 'risk_score', 'criticality', 'open_alerts', 'last_seen']),
  /** The asset whose panel is open. */
  asset: textParameter,
}
export type AssetUrl = UrlState<typeof assetParameters>

/** The query of the API for what the address states. */
export function toAssetQuery({ q, risk, type, stale, exploitable, tag, sort }: AssetUrl): Record<string, string> {
  const given = {
    q, exploitable, tag,
    risk_level: risk?.join(),
    type: type?.join(),
    blind_spot: stale?.join(),
    sort: sort === undefined ? undefined : `${sort.field}:${sort.direction}`,
  }
  return Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
