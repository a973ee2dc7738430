import { createEventIds } from '../domain/event-id.ts'
import type { EventIds } from '../domain/event-id.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { InstallationKeys } from '../store/installation-keys.ts'

/** The event ids of a tenant, under the key that also seals what lists hand out. */
export function getEventIds({ keys }: { readonly keys: Pick<InstallationKeys, 'cursor'> }, tenant: TenantId): EventIds {
  return createEventIds(keys.cursor, tenant)
}
