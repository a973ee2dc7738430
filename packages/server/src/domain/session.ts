/** A login that goes on. */
export type Session = {
  readonly id: string
  readonly userId: string
  readonly createdAt: number
  /** When it was last refreshed. */
  readonly refreshedAt: number
  /** Number of the one refresh token that is good, from 1; those before it were used. */
  readonly generation: number
  readonly revokedAt: number | undefined
}

/** The step from one generation to the next. */
export type SessionStep = { readonly from: number; readonly refreshedAt: number }
