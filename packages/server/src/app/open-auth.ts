import type { Authentication } from '../auth/authenticate.ts'
import type { ExternalIssuer } from '../auth/external-issuer.ts'
import { createLoginLimiter } from '../auth/login.ts'
import type { LoginDeps } from '../auth/login.ts'
import { PasswordHasher } from '../auth/password.ts'
import type { ScryptParameters } from '../auth/password.ts'
import { openSigningKeys } from '../auth/signing-keys.ts'
import { TokenCache } from '../auth/token-cache.ts'
import { openSecretBox } from '../domain/secret-box.ts'
import type { Runtime } from '../runtime.ts'
import type { InstallationKeys } from '../store/installation-keys.ts'
import type { Stores } from '../store/state-store.ts'

/** What is asked for logging in, and for knowing who asks. */
export type AuthService = LoginDeps & Authentication

export type AuthOptions = {
  readonly stores: Pick<Stores, 'tenants' | 'accounts' | 'users' | 'sessions'>
  readonly keys: InstallationKeys
  /** What tokens of ours have as `iss`. */
  readonly issuerName: string
  readonly externalIssuer: ExternalIssuer | undefined
  /** What a new password's hash costs; tests cannot afford the default. */
  readonly scrypt?: ScryptParameters
  readonly io: Pick<Runtime, 'now' | 'elapsedMs' | 'randomBytes'>
}

/** Builds what knows who asks. */
export async function openAuth({ stores, keys, issuerName, externalIssuer, scrypt, io }: AuthOptions): Promise<AuthService> {
  const issuer = { name: issuerName, keys: await openSigningKeys(keys.signing) }
  return {
    ...stores,
    issuer: () => issuer,
    externalIssuer,
    refreshSecret: keys.refresh,
    secrets: openSecretBox(keys.box, io.randomBytes),
    cache: new TokenCache(),
    hasher: new PasswordHasher(io, scrypt),
    limiter: createLoginLimiter(),
    io,
  }
}
