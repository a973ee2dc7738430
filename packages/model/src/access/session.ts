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
  /** Absent for a token that the operator of the server issued, and for a session of an earlier release. */
  readonly client?: SessionClient
}

/** Where a session was last opened or refreshed from, as the request stated it. It is kept with the session alone. */
export type SessionClient = {
  readonly address?: string
  /** Family of the browser, or the name of another program. */
  readonly browser?: string
  /** Family of the operating system. */
  readonly system?: string
}

/** An advance from one generation to the next; without a client the one before stays. */
export type SessionStep = { readonly from: number; readonly refreshedAt: number; readonly client?: SessionClient }
