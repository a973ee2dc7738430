import type { TenantId } from '@tripline/model/tenant'
import { findQueryWarnings } from '@tripline/query'
import type { EventStore, FieldCatalog } from '@tripline/storage/events/event-store'
import type { TenantSearch } from './tenant-search.ts'

/**
 * Finds what of a valid query looks like another language or a slip, for `query_warnings`. Fields that no recent event has are
 * named on the first page, where the catalog of fields is whole.
 */
export async function findSearchWarnings(
  events: Pick<EventStore, 'fields'>, tenant: TenantId, { query, cursor }: Pick<TenantSearch, 'query' | 'cursor'>,
): Promise<string[]> {
  const catalog = query.trim() === '' || cursor !== undefined ? undefined : await events.fields(tenant)
  const warnings = findQueryWarnings(query, catalog === undefined || catalog.isCut ? {} : { fields: listNames(catalog) })
  return warnings.map(({ message }) => `query:${message}`)
}

/** The same list for the same catalog, so that what is worked out of it is kept with it. */
const namesByCatalog = new WeakMap<FieldCatalog, readonly string[]>()

function listNames(catalog: FieldCatalog): readonly string[] {
  let names = namesByCatalog.get(catalog)
  if (names === undefined) namesByCatalog.set(catalog, (names = catalog.fields.map(({ name }) => name)))
  return names
}
