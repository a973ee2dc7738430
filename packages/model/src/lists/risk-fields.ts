import { entityKinds } from '../incidents/incident-facts.ts'
import { riskBands } from '../risk/entity-risk.ts'
import { mapToSelf } from './list-fields.ts'
import type { ListFields } from './list-fields.ts'

/** Sortable and filterable fields of risks. */
export const riskFields = {
  entity_type: { kind: 'word', isFiltered: true, words: mapToSelf(entityKinds) },
  entity: { kind: 'text', isSorted: true, isFiltered: true },
  score: { kind: 'number', isSorted: true, isFiltered: true },
  level: { kind: 'word', isFiltered: true, words: mapToSelf(riskBands) },
  alert_count: { kind: 'number', isSorted: true, isFiltered: true },
  last_alert_at: { kind: 'instant', isSorted: true, isFiltered: true },
} as const satisfies ListFields
