import { mapToSelf } from '../lists/list-fields.ts'
import type { ListFields } from '../lists/list-fields.ts'
import { assetTypes, criticalities, criticalityRanks, riskLevels } from './asset.ts'
import { indicatorTypes } from './indicator.ts'

/** Sortable and filterable fields of assets; folded ones have small ASCII letters. */
export const assetFields = {
  hostname: { kind: 'text', isSorted: true },
  risk_score: { kind: 'number', isSorted: true },
  last_seen: { kind: 'instant', isSorted: true, isFiltered: true },
  criticality: {
    kind: 'word', isSorted: true, isFiltered: true, words: mapToSelf(criticalities), ranks: criticalityRanks,
  },
  open_alerts: { kind: 'number', isSorted: true },
  type: { kind: 'word', isFiltered: true, words: mapToSelf(assetTypes) },
  os: { kind: 'text', isFiltered: true },
  os_folded: { kind: 'text' },
  os_family_folded: { kind: 'text' },
  tag: { kind: 'texts', isFiltered: true },
  risk_level: { kind: 'word', isFiltered: true, words: mapToSelf(riskLevels) },
  ip: { kind: 'addresses', isFiltered: true },
  last_scan_at: { kind: 'instant', isSorted: true, isFiltered: true },
  last_log_at: { kind: 'instant', isFiltered: true },
  exploitable: { kind: 'flag', isFiltered: true },
  findings_due_at: { kind: 'instant', isSorted: true, isFiltered: true },
} as const satisfies ListFields

/** Sortable and filterable fields of directory users. */
export const directoryUserFields = {
  name: { kind: 'text', isSorted: true, isFiltered: true },
  email: { kind: 'text', isSorted: true, isFiltered: true },
  department: { kind: 'text', isSorted: true, isFiltered: true },
  is_privileged: { kind: 'flag', isSorted: true, isFiltered: true },
  last_seen: { kind: 'instant', isSorted: true, isFiltered: true },
  open_alerts: { kind: 'number', isSorted: true },
} as const satisfies ListFields

/** Sortable and filterable fields of indicators. */
export const indicatorFields = {
  created_at: { kind: 'instant', isSorted: true, isFiltered: true },
  value: { kind: 'text', isSorted: true, isFiltered: true },
  confidence: { kind: 'number', isSorted: true, isFiltered: true },
  reputation_score: { kind: 'number', isSorted: true, isFiltered: true },
  valid_from: { kind: 'instant' },
  valid_until: { kind: 'instant', isSorted: true },
  hits: { kind: 'number', isSorted: true, isFiltered: true },
  type: { kind: 'word', isFiltered: true, words: mapToSelf(indicatorTypes) },
  source: { kind: 'text', isFiltered: true },
} as const satisfies ListFields

/** Sortable and filterable fields of host names under the tenant's own domains. */
export const subdomainFields = {
  name: { kind: 'text', isSorted: true, isFiltered: true },
  domain: { kind: 'text', isSorted: true, isFiltered: true },
  ip: { kind: 'text', isFiltered: true },
  first_seen: { kind: 'instant', isSorted: true, isFiltered: true },
  last_seen: { kind: 'instant', isSorted: true, isFiltered: true },
} as const satisfies ListFields
