/** An isolated customer; the first argument of every call that reads or writes its data. */
export type TenantId = string

/** The tenant that the first start creates. */
export const onlyTenant: TenantId = 'default'

/** Holds what self-tests of the server send, apart from all customers; no tenant that is created can have this id. */
export const selfTestTenant: TenantId = '-self-test'

/** A tenant. */
export type Tenant = {
  readonly id: TenantId
  readonly name: string
  readonly isActive: boolean
  readonly settings: { readonly [name: string]: unknown }
  /** Counts the changes, from 1. */
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** Creates an active tenant with default settings. */
export function createDefaultTenant({ id, name }: Pick<Tenant, 'id' | 'name'>, at: number): Tenant {
  return { id, name, isActive: true, settings: {}, version: 1, createdAt: at, updatedAt: at }
}
