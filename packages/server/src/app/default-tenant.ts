import type { Tenant } from '../domain/tenant.ts'

/** A tenant as it begins: active, with the settings that hold where nothing is said. */
export function createDefaultTenant({ id, name }: Pick<Tenant, 'id' | 'name'>, at: number): Tenant {
  return { id, name, isActive: true, settings: {}, version: 1, createdAt: at, updatedAt: at }
}
