import type { TenantId } from '@tripline/model/tenant'
import { findQueryWarnings } from '@tripline/query'
import type { EventStore } from '@tripline/storage/events/event-store'
import type { TenantSearch } from './tenant-search.ts'

/**
 * Finds what of a valid query looks like another language or a slip, for `query_warnings`. Fields that no recent event has are
 * named on the first page, where the catalog of fields is whole.
 */
export async function findSearchWarnings(
  events: Pick<EventStore, 'fields'>, tenant: TenantId, { query, cursor }: Pick<TenantSearch, 'query' | 'cursor'>,
): Promise<string[]> {
  const { fields, isCut } = query.trim() === '' || cursor !== undefined ? { fields: [], isCut: true } : await events.fields(tenant)
  const warnings = findQueryWarnings(query, isCut ? {} : { fields: fields.map(({ name }) => name) })
  return warnings.map(({ message }) => `query:${message}`)
}
