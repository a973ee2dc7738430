import { isJsonObject } from '@tripline/common/json'
import type { Clock } from '@tripline/common/runtime'
import type { SecretBox } from '@tripline/model/access/secret-box'
import type { TenantId } from '@tripline/model/tenant'
import { isConstantTimeEqual } from '../access/constant-time-equal.ts'
import { limits } from '../limits.ts'
import { SignOnError } from './sign-on-error.ts'

/**
 * A login that has left for an identity provider. The browser keeps it, encrypted, in a cookie: the one that comes back is the one
 * that left, no request fills a table of ours, and a restart ends no login.
 */
export type SignOnAttempt = {
  readonly tenant: TenantId
  /** A test shows what a login would do, and opens no session. */
  readonly purpose: 'login' | 'test'
  readonly issuer: string
  readonly state: string
  readonly nonce: string
  /** The code verifier of PKCE (RFC 7636). */
  readonly verifier: string
  readonly startedAt: number
}

const place = { tenant: '', owner: 'sign_on', key: 'attempt' }

/** Encrypts an attempt for its cookie. */
export function sealAttempt(secrets: SecretBox, attempt: SignOnAttempt): string {
  return secrets.seal(place, JSON.stringify(attempt))
}

/** Attempts that came back: each does once. */
export class UsedAttempts {
  readonly #startedAt = new Map<string, number>()

  /** Marks an attempt as used; false if it was used before. */
  use({ state, startedAt }: SignOnAttempt, nowMs: number): boolean {
    for (const [old, since] of this.#startedAt) {
      if (nowMs - since < limits.signOn.attemptMs && this.#startedAt.size < limits.signOn.usedAttemptsMax) break
      this.#startedAt.delete(old)
    }
    if (this.#startedAt.has(state)) return false
    this.#startedAt.set(state, startedAt)
    return true
  }
}

type ReturnedAttempt = { readonly cookie: string | undefined; readonly state: string | undefined }

/** The attempt of a cookie, if the state that came back is its own and it was not used before. @throws SignOnError. */
export function takeAttempt(
  { secrets, used, clock }: { readonly secrets: SecretBox; readonly used: UsedAttempts; readonly clock: Pick<Clock, 'now'> },
  { cookie, state }: ReturnedAttempt,
): SignOnAttempt {
  const attempt = openAttempt(secrets, cookie)
  if (attempt === undefined || state === undefined || !isConstantTimeEqual(state, attempt.state)) throw new SignOnError('not_started')
  const nowMs = clock.now()
  if (nowMs - attempt.startedAt >= limits.signOn.attemptMs) throw new SignOnError('expired')
  if (!used.use(attempt, nowMs)) throw new SignOnError('not_started')
  return attempt
}

/** The attempt of a cookie, for the trail of its tenant too; undefined for one that is not ours. */
export function openAttempt(secrets: SecretBox, cookie: string | undefined): SignOnAttempt | undefined {
  if (cookie === undefined || cookie.length > limits.signOn.attemptLengthMax) return undefined
  try {
    const opened: unknown = JSON.parse(secrets.open(place, cookie))
    return isAttempt(opened) ? opened : undefined
  } catch {
    // Of another key, cut or made up: the login is refused as not started.
    return undefined
  }
}

function isAttempt(value: unknown): value is SignOnAttempt {
  if (!isJsonObject(value) || typeof value['startedAt'] !== 'number') return false
  const texts = ['tenant', 'issuer', 'state', 'nonce', 'verifier'].every((name) => typeof value[name] === 'string')
  return texts && (value['purpose'] === 'login' || value['purpose'] === 'test')
}
