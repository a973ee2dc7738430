/** What a user may do (section 5): the first four grow, each allowed all of the one before; the last two stand beside. */
export const roles = ['viewer', 'analyst', 'engineer', 'admin', 'auditor', 'operator'] as const
export type Role = (typeof roles)[number]

/** A person who works in a tenant. Who works in several is a user of each. */
export type User = {
  readonly id: string
  /** Unique in the tenant, whatever its case. */
  readonly email: string
  readonly name: string
  readonly roles: readonly Role[]
  readonly isActive: boolean
  /** Counts the changes, from 1. */
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}
