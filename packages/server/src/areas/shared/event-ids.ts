import { createEventIds } from '@tripline/formats/event/event-id'
import type { EventIds } from '@tripline/formats/event/event-id'
import type { TenantId } from '../../model/tenant.ts'
import type { InstallationKeys } from '../../state/installation-keys.ts'

/** The event ids of a tenant, under the key that also seals what lists hand out. */
export function getEventIds({ keys }: { readonly keys: Pick<InstallationKeys, 'cursor'> }, tenant: TenantId): EventIds {
  return createEventIds(keys.cursor, tenant)
}
