import type { Runtime } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import { normalizeAccountEmail } from '@tripline/model/access/account'
import type { Principal } from '@tripline/model/access/principal'
import type { User } from '@tripline/model/access/user'
import type { AccountStore, StateStore } from '@tripline/state/ports/state-store'
import { parseBase32, printBase32 } from '../../access/login/base32.ts'
import { checkPassword } from '../../access/login/login.ts'
import { openTotpSecret, sealTotpSecret } from '../../access/login/totp-secret.ts'
import { findTotpStep } from '../../access/login/totp.ts'
import type { AuthService } from '../../access/open-auth.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { recordFailure } from '../../audit/record-outcome.ts'
import type { OutcomeDeps } from '../../audit/record-outcome.ts'
import { limits } from '../../limits.ts'
import { revokeSessions, revokeCachedTokens } from '../shared/revoke-sessions.ts'
import { currentUser } from './session.ts'

/** What the user's own account needs of the server. */
export type OwnAccountDeps = OutcomeDeps & {
  readonly state: StateStore
  readonly identity: AuthService
  readonly clock: Pick<Runtime, 'now'>
  readonly randomBytes: Runtime['randomBytes']
}

/** A secret for an authenticator app, and its `otpauth` URI for a QR code. */
type SecondFactor = { readonly secret: string; readonly uri: string }

/**
 * Changes the user's own password and revokes all sessions of the account, including the current one.
 *
 * @throws AppError UNAUTHORIZED for a wrong password, which counts as a login attempt; INVALID_PARAMETER for an unacceptable
 *   new one; CONFLICT for a user of an external issuer.
 */
export async function changePassword(
  deps: OwnAccountDeps, caller: Principal, { current, next }: { readonly current: string; readonly next: string },
): Promise<void> {
  const user = await getOwnUser(deps, caller)
  const { account } = await checkOwnPassword(deps, caller, user, current)
  if (next === current) throw new AppError('INVALID_PARAMETER', 'the new password must differ from the current one')
  const hash = await deps.identity.hasher.hash(next, user.email)
  const at = deps.clock.now()
  const ended = await deps.state.transaction(async (stores) => {
    const from = account.passwordHash
    if (from === undefined || !await stores.accounts.replacePasswordHash(user.email, { from, to: hash })) {
      throw new AppError('CONFLICT', 'another request changed the password; try again')
    }
    await recordAudit(stores, caller, { at, action: 'user.change_password', target: { type: 'user', id: user.id } })
    return await revokeSessions(stores, user.email, at)
  })
  revokeCachedTokens(deps, ended)
}

/** Creates a second-factor secret. Nothing is stored until `enableSecondFactor` verifies a code of it. */
export async function createSecondFactorSecret(deps: OwnAccountDeps, caller: Principal): Promise<SecondFactor> {
  const { email } = await getOwnUser(deps, caller)
  const secret = printBase32(deps.randomBytes(limits.admin.totpSecretBytes))
  return { secret, uri: `otpauth://totp/Tripline:${encodeURIComponent(email)}?secret=${secret}&issuer=Tripline` }
}

/**
 * Enables the second factor: each login requires a code of the secret from now on.
 *
 * @throws AppError UNAUTHORIZED for a wrong password or code; INVALID_PARAMETER for a secret that we did not create;
 *   CONFLICT if a second factor is enabled; CONFLICT for a user of an external issuer.
 */
export async function enableSecondFactor(
  deps: OwnAccountDeps, caller: Principal, { secret: text, code, password }: { [Name in 'secret' | 'code' | 'password']: string },
): Promise<void> {
  const secret = parseBase32(text)
  if (secret?.length !== limits.admin.totpSecretBytes) {
    const message = `'secret' must be one that this API created: ${limits.admin.totpSecretBytes} bytes in base32`
    throw new AppError('INVALID_PARAMETER', message)
  }
  const user = await verifyOwner(deps, caller, password)
  await deps.state.transaction(async (stores) => {
    const { totpSecret } = (await stores.accounts.find(user.email)) ?? {}
    if (totpSecret !== undefined) throw new AppError('CONFLICT', 'the account already has a second factor; remove it first')
    await consumeTotpCode(deps, stores.accounts, { email: user.email, secret, code })
    await stores.accounts.setTotpSecret(user.email, sealTotpSecret(deps.identity.secrets, normalizeAccountEmail(user.email), secret))
    const at = deps.clock.now()
    await recordAudit(stores, caller, { at, action: 'user.add_second_factor', target: { type: 'user', id: user.id } })
  })
  await forgetChecks(deps, user)
}

/**
 * Disables the second factor.
 *
 * @throws AppError UNAUTHORIZED for a wrong password or code; CONFLICT if there is none; CONFLICT for a user of an external
 *   issuer.
 */
export async function disableSecondFactor(
  deps: OwnAccountDeps, caller: Principal, { code, password }: { readonly code: string; readonly password: string },
): Promise<void> {
  const user = await verifyOwner(deps, caller, password)
  await deps.state.transaction(async (stores) => {
    const account = await stores.accounts.find(user.email)
    const secret = account && openTotpSecret(deps.identity.secrets, account)
    if (secret === undefined) throw new AppError('CONFLICT', 'the account has no second factor')
    await consumeTotpCode(deps, stores.accounts, { email: user.email, secret, code })
    await stores.accounts.setTotpSecret(user.email, undefined)
    const at = deps.clock.now()
    await recordAudit(stores, caller, { at, action: 'user.remove_second_factor', target: { type: 'user', id: user.id } })
  })
  await forgetChecks(deps, user)
}

/** Has the next request of the account in any tenant look for the second factor. */
async function forgetChecks(deps: OwnAccountDeps, { email }: User): Promise<void> {
  for (const tenant of await deps.state.accounts.tenantsOf(email)) {
    const user = await deps.state.users.findByEmail(tenant, email)
    if (user !== undefined) deps.identity.tokens.cache.revoke(tenant, { subject: user.id })
  }
}

/** The authenticated user with an account here. @throws AppError CONFLICT for a user of an external issuer. */
async function getOwnUser(deps: OwnAccountDeps, caller: Principal): Promise<User> {
  const user = await currentUser(deps, caller)
  if (user.externalIssuer === undefined) return user
  throw new AppError('CONFLICT', 'an external issuer manages your password and second factor; change them there')
}

/** Verifies the password again, in case another person uses an unattended session. */
async function verifyOwner(deps: OwnAccountDeps, caller: Principal, password: string): Promise<User> {
  const user = await getOwnUser(deps, caller)
  await checkOwnPassword(deps, caller, user, password)
  return user
}

/** Verifies the user's password, which counts as a login attempt; a wrong one is recorded in the audit trail. */
async function checkOwnPassword(
  deps: OwnAccountDeps, caller: Principal, { id, email }: User, password: string,
): ReturnType<typeof checkPassword> {
  const action = { action: 'user.verify_password', target: { type: 'user', id } }
  try {
    return await recordFailure(deps, caller, action, () => checkPassword(deps.identity, { email, password, address: caller.ip ?? '' }))
  } catch (error) {
    // With the parameter a page sees that its session is good and the input is not.
    const isWrong = error instanceof AppError && error.code === 'UNAUTHORIZED'
    throw isWrong ? new AppError(error.code, error.message, { parameter: 'password' }) : error
  }
}

/** A code is valid once, as at login. */
async function consumeTotpCode(
  { clock }: Pick<OwnAccountDeps, 'clock'>, accounts: AccountStore,
  { email, secret, code }: { readonly email: string; readonly secret: Uint8Array; readonly code: string },
): Promise<void> {
  const step = findTotpStep(secret, code, clock.now())
  if (step !== undefined && await accounts.useTotpStep(email, step)) return
  throw new AppError('UNAUTHORIZED', 'password or code is wrong', { parameter: 'code' })
}
