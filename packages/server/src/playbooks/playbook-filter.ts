import type { Filter } from '@tripline/model/lists/filter'
import { alertFields, incidentFields } from '@tripline/model/lists/list-fields'
import type { Playbook } from '@tripline/model/playbooks/playbook'
import { parseFilter } from '../http/lists/parse-filter.ts'

/**
 * The filter of a playbook; undefined where it has none.
 *
 * @throws AppError INVALID_PARAMETER or INVALID_QUERY_FIELD for a filter that the list of its subject does not take.
 */
export function readPlaybookFilter({ subject, filter }: Pick<Playbook, 'subject' | 'filter'>): Filter | undefined {
  return filter === '' ? undefined : parseFilter(subject === 'alert' ? alertFields : incidentFields, filter)
}
