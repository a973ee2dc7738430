import type { Authentication } from '../auth/authenticate.ts'
import type { ExternalIssuer } from '../auth/external-issuer.ts'
import { loginLimiter } from '../auth/login.ts'
import type { LoginRoom } from '../auth/login.ts'
import { PasswordHasher } from '../auth/password.ts'
import type { ScryptParameters } from '../auth/password.ts'
import { openSigningKeys } from '../auth/signing-keys.ts'
import { TokenCache } from '../auth/token-cache.ts'
import { openSecretBox } from '../domain/secret-box.ts'
import type { Io } from '../runtime.ts'
import type { InstallationKeys } from '../store/installation-keys.ts'
import type { Stores } from '../store/state-store.ts'

/** What is asked for logging in, and for knowing who asks. */
export type Identity = LoginRoom & Authentication

export type IdentityOptions = {
  readonly stores: Pick<Stores, 'tenants' | 'accounts' | 'users' | 'sessions'>
  readonly keys: InstallationKeys
  /** What tokens of ours have as `iss`. */
  readonly issuerName: string
  readonly externalIssuer: ExternalIssuer | undefined
  /** What a new password's hash costs; tests cannot afford the default. */
  readonly scrypt?: ScryptParameters
  readonly io: Pick<Io, 'now' | 'elapsedMs' | 'randomBytes'>
}

/** Builds what knows who asks. */
export async function openIdentity({ stores, keys, issuerName, externalIssuer, scrypt, io }: IdentityOptions): Promise<Identity> {
  const issuer = { name: issuerName, keys: await openSigningKeys(keys.signing) }
  return {
    ...stores,
    issuer: () => issuer,
    externalIssuer,
    refreshSecret: keys.refresh,
    secrets: openSecretBox(keys.box, io.randomBytes),
    cache: new TokenCache(),
    hasher: new PasswordHasher(io, scrypt),
    limiter: loginLimiter(),
    io,
  }
}
