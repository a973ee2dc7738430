import type { Runtime } from '@tripline/common/runtime'
import { openSecretBox } from '@tripline/model/access/secret-box'
import type { InstallationKeys } from '@tripline/state/installation-keys'
import type { StateStore } from '@tripline/state/ports/state-store'
import type { Authentication } from './authenticate.ts'
import { createExternalUsers } from './external-users.ts'
import { createLoginLimiter } from './login/login.ts'
import type { LoginDeps } from './login/login.ts'
import { LoginLink } from './login/login-link.ts'
import { PasswordHasher } from './login/password.ts'
import type { ScryptParameters } from './login/password.ts'
import type { SecondFactorPolicy } from './second-factor.ts'
import type { ExternalIssuer } from './tokens/external-issuer.ts'
import { openSigningKeys } from './tokens/signing-keys.ts'
import { TokenCache } from './tokens/token-cache.ts'

/** Dependencies of login and authentication. */
export type AuthService = LoginDeps & Authentication & {
  readonly loginLink: LoginLink
  /** Signs with other keys from now on. */
  readonly useSigningKeys: (records: InstallationKeys['signing']) => Promise<void>
}

type AuthOptions = {
  readonly stores: Pick<StateStore, 'tenants' | 'accounts' | 'users' | 'sessions' | 'signOn' | 'transaction'>
  readonly keys: InstallationKeys
  /** The `iss` claim of our tokens. */
  readonly issuerName: string
  readonly externalIssuer: ExternalIssuer | undefined
  readonly secondFactorPolicy?: SecondFactorPolicy
  /** Cost of new password hashes; tests use a cheap one. */
  readonly scrypt?: ScryptParameters
  readonly io: Pick<Runtime, 'now' | 'elapsedMs' | 'randomBytes'>
}

/** Builds the dependencies of login and authentication. */
export async function openAuth(options: AuthOptions): Promise<AuthService> {
  const { stores, keys, issuerName, externalIssuer, secondFactorPolicy, scrypt, io } = options
  let issuer = { name: issuerName, keys: await openSigningKeys(keys.signing) }
  return {
    state: stores,
    tokens: { issuer: () => issuer, refreshSecret: keys.refresh, cache: new TokenCache() },
    externalIssuer,
    ...(secondFactorPolicy && { secondFactorPolicy }),
    externalUsers: createExternalUsers({ state: stores, clock: io }),
    secrets: openSecretBox(keys.box, io.randomBytes),
    hasher: new PasswordHasher(io, scrypt),
    limiter: createLoginLimiter(),
    loginLink: new LoginLink(io),
    useSigningKeys: async (records) => {
      issuer = { name: issuerName, keys: await openSigningKeys(records) }
    },
    io,
  }
}
