import { requestLaws, requestStatuses, requestTypes } from '../compliance/data-subject-request.ts'
import { mapToSelf } from './list-fields.ts'
import type { ListFields } from './list-fields.ts'

/** Sortable and filterable fields of requests of data subjects. */
export const requestFields = {
  due_at: { kind: 'instant', isSorted: true, isFiltered: true },
  received_at: { kind: 'instant', isSorted: true, isFiltered: true },
  /** 0 while it is open. */
  closed_at: { kind: 'instant', isSorted: true, isFiltered: true },
  type: { kind: 'word', isSorted: true, isFiltered: true, words: mapToSelf(requestTypes) },
  status: { kind: 'word', isSorted: true, isFiltered: true, words: mapToSelf(requestStatuses) },
  law: { kind: 'word', isFiltered: true, words: mapToSelf(requestLaws) },
} as const satisfies ListFields
