import { collectorStates } from '../collectors/collector.ts'
import { mapToSelf } from './list-fields.ts'
import type { ListFields } from './list-fields.ts'

/** Sortable and filterable fields of collectors. */
export const collectorFields = {
  name: { kind: 'text', isSorted: true, isFiltered: true },
  hostname: { kind: 'text', isSorted: true, isFiltered: true },
  status: { kind: 'word', isSorted: true, isFiltered: true, words: mapToSelf(collectorStates) },
  last_seen: { kind: 'instant', isSorted: true, isFiltered: true },
  events_ingested: { kind: 'number', isSorted: true, isFiltered: true },
  created_at: { kind: 'instant', isSorted: true, isFiltered: true },
} as const satisfies ListFields
