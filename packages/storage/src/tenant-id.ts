/** The name of a tenant. For the bus and the event store a tenant is the partition of its messages and events. */
export type TenantId = string
