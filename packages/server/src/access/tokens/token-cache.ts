import type { TenantId } from '@tripline/model/tenant'
import { LRUMapWithDelete } from 'mnemonist'
import { limits } from '../../limits.ts'
import type { TokenPrincipal } from './token-principal.ts'

/** A cached verification. */
export type VerifiedToken = {
  readonly identity: TokenPrincipal
  /** When session and user were last checked, on a monotonic clock. */
  readonly checkedAtMs: number
}

/** Maximum number and length of cached tokens. */
type TokenCacheBounds = { readonly tokensMax: number; readonly tokenLengthMax: number }

const tokenCacheBounds: TokenCacheBounds = {
  tokensMax: limits.auth.cachedTokensMax,
  tokenLengthMax: limits.auth.cachedTokenLengthMax,
}

/** The tokens to evict: those of a session, a user, or the whole tenant. */
export type Revocation = { readonly sessionId: string } | { readonly subject: string } | 'everybody'

/**
 * An LRU cache of verified tokens, so that a signature is verified once. Keys are whole token texts, and expired tokens are
 * never returned.
 */
export class TokenCache {
  readonly #tokenLengthMax: number
  readonly #tokens: LRUMapWithDelete<string, VerifiedToken>

  constructor({ tokensMax, tokenLengthMax }: TokenCacheBounds = tokenCacheBounds) {
    this.#tokenLengthMax = tokenLengthMax
    this.#tokens = new LRUMapWithDelete(tokensMax)
  }

  get size(): number {
    return this.#tokens.size
  }

  get(token: string, nowMs: number): VerifiedToken | undefined {
    const verified = this.#tokens.get(token)
    if (verified === undefined || nowMs < verified.identity.expiresAt) return verified
    this.#tokens.delete(token)
    return undefined
  }

  /** Caches a token or updates its entry; overlong tokens are not cached. */
  set(token: string, verified: VerifiedToken): void {
    if (token.length <= this.#tokenLengthMax) this.#tokens.set(token, verified)
  }

  forget(token: string): void {
    this.#tokens.delete(token)
  }

  /** Evicts the tokens of a session, a user or a tenant, so that the next request reads the store. */
  revoke(tenant: TenantId, revocation: Revocation): void {
    const revoked = [...this.#tokens].filter(([, { identity }]) => {
      return identity.tenant === tenant && matchesRevocation(identity, revocation)
    })
    for (const [token] of revoked) this.#tokens.delete(token)
  }
}

function matchesRevocation({ session, subject }: TokenPrincipal, revocation: Revocation): boolean {
  if (revocation === 'everybody') return true
  return 'sessionId' in revocation ? session?.id === revocation.sessionId : subject === revocation.subject
}
