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
import type { StateStore } from '../store/state-store.ts'
import { createExternalUsers } from './external-users.ts'

/** Dependencies of login and authentication. */
export type AuthService = LoginDeps & Authentication

export type AuthOptions = {
  readonly stores: Pick<StateStore, 'tenants' | 'accounts' | 'users' | 'sessions' | 'transaction'>
  readonly keys: InstallationKeys
  /** The `iss` claim of our tokens. */
  readonly issuerName: string
  readonly externalIssuer: ExternalIssuer | undefined
  /** Cost of new password hashes; tests use a cheap one. */
  readonly scrypt?: ScryptParameters
  readonly io: Pick<Runtime, 'now' | 'elapsedMs' | 'randomBytes'>
}

/** Builds the dependencies of login and authentication. */
export async function openAuth({ stores, keys, issuerName, externalIssuer, scrypt, io }: AuthOptions): Promise<AuthService> {
  const issuer = { name: issuerName, keys: await openSigningKeys(keys.signing) }
  return {
    ...stores,
    issuer: () => issuer,
    externalIssuer,
    externalUsers: createExternalUsers({ state: stores, clock: io }),
    refreshSecret: keys.refresh,
    secrets: openSecretBox(keys.box, io.randomBytes),
    cache: new TokenCache(),
    hasher: new PasswordHasher(io, scrypt),
    limiter: createLoginLimiter(),
    io,
  }
}
