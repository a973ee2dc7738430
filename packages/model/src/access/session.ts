import type { TokenClaims } from './role-mapping.ts'

/** An open login session. */
export type Session = {
  readonly id: string
  readonly userId: string
  readonly createdAt: number
  /** When it was last refreshed. */
  readonly refreshedAt: number
  /** Number of the only valid refresh token, from 1; earlier ones were used. */
  readonly generation: number
  readonly revokedAt: number | undefined
  /** The claims of the identity provider at which its user logged in; absent for a login by password. */
  readonly claims?: TokenClaims
}

/** An advance from one generation to the next. */
export type SessionStep = { readonly from: number; readonly refreshedAt: number }
