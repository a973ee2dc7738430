import type { TenantId } from '../domain/tenant.ts'
import { limits } from '../limits.ts'
import type { TokenPrincipal } from './token-principal.ts'

/** What is remembered of a token that was verified. */
export type VerifiedToken = {
  readonly identity: TokenPrincipal
  /** When session and user were last asked, by a clock that never goes back. */
  readonly checkedAtMs: number
}

/** How many tokens are remembered, and how long one may be. */
export type TokenCacheBounds = { readonly tokensMax: number; readonly tokenLengthMax: number }

const tokenCacheBounds: TokenCacheBounds = {
  tokensMax: limits.auth.cachedTokensMax,
  tokenLengthMax: limits.auth.cachedTokenLengthMax,
}

/** Which tokens to forget: those of a session, all of a user, or all of the tenant. */
export type Revocation = { readonly sessionId: string } | { readonly subject: string } | 'everybody'

/**
 * Remembers the tokens that were used last, so that a signature is verified once. It knows a token by its whole
 * text and never hands one out at or after its end.
 */
export class TokenCache {
  readonly #bounds: TokenCacheBounds
  /** In the order of their use, the longest unused first. */
  readonly #tokens = new Map<string, VerifiedToken>()

  constructor(bounds: TokenCacheBounds = tokenCacheBounds) {
    this.#bounds = bounds
  }

  get size(): number {
    return this.#tokens.size
  }

  get(token: string, nowMs: number): VerifiedToken | undefined {
    const verified = this.#tokens.get(token)
    if (verified === undefined) return undefined
    this.#tokens.delete(token)
    if (nowMs >= verified.identity.expiresAt) return undefined
    this.#tokens.set(token, verified)
    return verified
  }

  /** Remembers a token, or what is new about it; an overlong one is not worth its room. */
  set(token: string, verified: VerifiedToken): void {
    if (token.length > this.#bounds.tokenLengthMax) return
    this.#tokens.delete(token)
    this.#tokens.set(token, verified)
    if (this.#tokens.size <= this.#bounds.tokensMax) return
    const [oldest] = this.#tokens.keys()
    if (oldest !== undefined) this.#tokens.delete(oldest)
  }

  forget(token: string): void {
    this.#tokens.delete(token)
  }

  /** Forgets the tokens of a session, a user or a tenant, so that the next request with one asks the store. */
  revoke(tenant: TenantId, revocation: Revocation): void {
    for (const [token, { identity }] of this.#tokens) {
      if (identity.tenant === tenant && matchesRevocation(identity, revocation)) this.#tokens.delete(token)
    }
  }
}

function matchesRevocation({ session, subject }: TokenPrincipal, revocation: Revocation): boolean {
  if (revocation === 'everybody') return true
  return 'sessionId' in revocation ? session?.id === revocation.sessionId : subject === revocation.subject
}
