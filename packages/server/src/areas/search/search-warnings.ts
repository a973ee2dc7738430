import type { TenantId } from '@tripline/model/tenant'
import { findQueryWarnings } from '@tripline/query'
import type { EventStore } from '@tripline/storage/events/event-store'
import type { TenantSearch } from './tenant-search.ts'

/**
 * Finds what of a valid query looks like another language or a slip, for `query_warnings`. Fields that no recent event has are
 * named on the first page, where all names of fields are known.
 */
export async function findSearchWarnings(
  events: Pick<EventStore, 'fieldNames'>, tenant: TenantId, { query, cursor }: Pick<TenantSearch, 'query' | 'cursor'>,
): Promise<string[]> {
  const fields = query.trim() === '' || cursor !== undefined ? undefined : await events.fieldNames(tenant)
  return findQueryWarnings(query, fields === undefined ? {} : { fields }).map(({ message }) => `query:${message}`)
}
