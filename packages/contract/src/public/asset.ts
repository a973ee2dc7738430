import { limits } from '../limits.ts'
import { searchText, words } from './parameters.ts'
import { count, flag, instant, list, nullable, record, text, word } from './shape.ts'
import type { ValueOf } from './shape.ts'
import { assetTypeWords, criticalityWords, riskLevelWords } from './vocabulary.ts'

/** A machine, service or device. */
export const publicAsset = record({
  id: text,
  hostname: text,
  ip_addresses: list(text),
  mac_addresses: list(text),
  type: word(assetTypeWords),
  os: text,
  os_family: text,
  criticality: word(criticalityWords),
  owner: text,
  tags: list(text),
  risk_score: count,
  risk_level: word(riskLevelWords),
  vulnerabilities: record({ critical: count, high: count, medium: count, low: count, exploitable: count }),
  open_alerts: count,
  /** Null if it was never seen or scanned. */
  last_seen: nullable(instant),
  last_scan_at: nullable(instant),
  /** Whether the last scan is older than a week. */
  scan_stale: flag,
  sources: list(text),
})
export type PublicAsset = ValueOf<typeof publicAsset>

/** The filters of the list of assets; `search` finds host names and addresses. */
export const assetParameters = { search: searchText(limits.state.soughtLengthMax), type: words(assetTypeWords) } as const
