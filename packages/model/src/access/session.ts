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
}

/** An advance from one generation to the next. */
export type SessionStep = { readonly from: number; readonly refreshedAt: number }
