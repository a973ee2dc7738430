import type { Role } from './permission.ts'

/** The pages of the service: the console of its analysts, the portal of its customers. */
export type UserInterface = 'console' | 'portal'

/** A user of one tenant; a person in several tenants is a user of each, with one account. */
export type User = {
  readonly id: string
  /** As entered; `normalizeAccountEmail` gives the account, and is unique in the tenant. */
  readonly email: string
  readonly name: string
  readonly roles: readonly Role[]
  readonly isActive: boolean
  /** The pages that the user works with: those of the console, or of the portal for customers. */
  readonly interface: UserInterface
  /** The issuer that manages the user's name, address and roles; undefined for a user with an account here. */
  readonly externalIssuer?: string
  /** Tokens of the external issuer that were issued before are refused: the user was logged out. */
  readonly tokensValidFrom?: number
  /** Counts changes of `roles` and `isActive`, from 1; tokens with an older version are refused. */
  readonly permissionsVersion: number
  /** Counts all changes, from 1. */
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}
