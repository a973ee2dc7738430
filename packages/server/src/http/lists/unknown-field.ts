import { AppError } from '@tripline/contract/app-error'
import { getFieldNames } from '@tripline/model/lists/list-fields'
import type { ListFields } from '@tripline/model/lists/list-fields'

const nameLengthMax = 64

/** The error for a field that cannot be sorted or filtered by; it lists the allowed ones. */
export function unknownField(fields: ListFields, use: 'isSorted' | 'isFiltered', name: string): AppError {
  const allowed = getFieldNames(fields, use)
  const field = name.slice(0, nameLengthMax)
  const verb = use === 'isSorted' ? 'sorted' : 'filtered'
  const message = `the list cannot be ${verb} by '${field}'; allowed: ${allowed.join(', ')}`
  return new AppError('INVALID_QUERY_FIELD', message, { field, allowed })
}
