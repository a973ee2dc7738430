import type { Role } from './permission.ts'

/** Somebody in one tenant; who works in several is a user of each, with one account. */
export type User = {
  readonly id: string
  /** As it was written; `normalizeAccountEmail` of it is the account, and is unique in the tenant. */
  readonly email: string
  readonly name: string
  readonly roles: readonly Role[]
  readonly isActive: boolean
  /** Counts the changes of `roles` and `isActive`, from 1; tokens of an older version are refused. */
  readonly permissionsVersion: number
  /** Counts all changes, from 1. */
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}
