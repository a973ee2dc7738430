/** A customer's isolated world; the first argument of every call that reads or writes its data. */
export type TenantId = string

/** The one tenant there is until requests carry an identity. */
export const onlyTenant: TenantId = 'default'

/** What is known of a tenant itself. */
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
