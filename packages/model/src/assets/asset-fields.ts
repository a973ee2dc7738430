import { mapToSelf } from '../lists/list-fields.ts'
import type { ListFields } from '../lists/list-fields.ts'
import { activityKinds } from './asset-history.ts'
import { findingSeverities, findingStatuses } from './finding.ts'

/** Sortable and filterable fields of what happened to an asset. */
export const assetTimelineFields = {
  at: { kind: 'instant', isSorted: true, isFiltered: true },
  kind: { kind: 'word', isFiltered: true, words: mapToSelf(activityKinds) },
  title: { kind: 'text', isFiltered: true },
  severity: { kind: 'text', isFiltered: true },
} as const satisfies ListFields

/** Sortable and filterable fields of findings. */
export const findingFields = {
  asset_id: { kind: 'text', isFiltered: true },
  vulnerability_id: { kind: 'text', isFiltered: true },
  title: { kind: 'text', isSorted: true, isFiltered: true },
  severity: {
    kind: 'word', isSorted: true, isFiltered: true, words: mapToSelf(findingSeverities),
    ranks: Object.fromEntries(findingSeverities.map((name, rank) => [name, rank])),
  },
  status: { kind: 'word', isFiltered: true, words: mapToSelf(findingStatuses) },
  cve: { kind: 'texts', isFiltered: true },
  exploit_count: { kind: 'number', isSorted: true, isFiltered: true },
  first_found: { kind: 'instant', isSorted: true, isFiltered: true },
  last_found: { kind: 'instant', isSorted: true, isFiltered: true },
  due_at: { kind: 'instant', isSorted: true, isFiltered: true },
} as const satisfies ListFields
