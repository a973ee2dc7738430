/** A customer's isolated world; the first argument of every call that reads or writes its data. */
export type TenantId = string

/** The one tenant there is until requests carry an identity. */
export const onlyTenant: TenantId = 'default'
