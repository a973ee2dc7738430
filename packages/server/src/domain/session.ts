/** Why a session is over before its time. */
export type SessionEnd = 'logout' | 'revoked' | 'token_reused'

/** What a user has between login and logout; carried on by refresh tokens, each good for one use (D-25). */
export type Session = {
  readonly id: string
  readonly userId: string
  readonly createdAt: number
  /** Over when nothing refreshes it until then, and in any case at `endsAt`. */
  readonly idleUntil: number
  readonly endsAt: number
  readonly ended: { readonly at: number; readonly because: SessionEnd } | undefined
}

/** Whether a session carries on at a moment. */
export function isAlive(session: Session, at: number): boolean {
  return session.ended === undefined && at < session.idleUntil && at < session.endsAt
}
