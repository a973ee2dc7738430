import type { SortKey } from '@tripline/model/lists/filter'
import type { ListFields } from '@tripline/model/lists/list-fields'
import { limits } from '../../limits.ts'
import { invalidParameter } from '../validate.ts'
import { unknownField } from './unknown-field.ts'

/**
 * Parses `sort`: a comma-separated list of `<field>` or `<field>:<asc|desc>`; ascending by default.
 *
 * @throws AppError INVALID_QUERY_FIELD for a field that cannot be sorted by; INVALID_PARAMETER for other problems.
 */
export function parseSort(fields: ListFields, text: string): SortKey[] {
  const { sortKeysMax } = limits.state
  const parts = text.split(',', sortKeysMax + 1)
  if (parts.length > sortKeysMax) {
    throw invalidParameter('sort', text, { reason: `at most ${sortKeysMax} sort fields are allowed` })
  }
  const keys = parts.map((part): SortKey => {
    const [field = '', direction = 'asc', ...more] = part.trim().split(':')
    if (!Object.hasOwn(fields, field) || fields[field]?.isSorted !== true) throw unknownField(fields, 'isSorted', field)
    const isDirection = direction === 'asc' || direction === 'desc'
    if (!isDirection || more.length > 0) throw invalidParameter('sort', part, { allowed: ['asc', 'desc'] })
    return { field, direction }
  })
  const twice = keys.find(({ field }, index) => keys.findIndex((key) => key.field === field) < index)
  if (twice !== undefined) throw invalidParameter('sort', text, { reason: `'${twice.field}' occurs twice` })
  return keys
}
