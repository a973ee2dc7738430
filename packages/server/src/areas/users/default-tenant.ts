import type { Tenant } from '../../model/tenant.ts'

/** Creates an active tenant with default settings. */
export function createDefaultTenant({ id, name }: Pick<Tenant, 'id' | 'name'>, at: number): Tenant {
  return { id, name, isActive: true, settings: {}, version: 1, createdAt: at, updatedAt: at }
}
