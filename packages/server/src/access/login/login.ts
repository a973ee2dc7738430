import type { Runtime } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import { normalizeAccountEmail } from '@tripline/model/access/account'
import type { Account } from '@tripline/model/access/account'
import type { SecretBox } from '@tripline/model/access/secret-box'
import type { User } from '@tripline/model/access/user'
import type { TenantId } from '@tripline/model/tenant'
import type { Accounts, SignOns } from '@tripline/state/ports/access-stores'
import { limits } from '../../limits.ts'
import { RateLimitedError, RateLimiter } from '../rate-limiter.ts'
import type { RateDecision } from '../rate-limiter.ts'
import { getAddressPrefix } from '@tripline/common/address-prefix'
import type { PasswordHasher, PasswordVerdict } from './password.ts'
import { openSession } from './session.ts'
import type { SessionDeps, TokenPair } from './session.ts'
import { readSessionClient } from './session-client.ts'
import { openTotpSecret } from './totp-secret.ts'
import { findTotpStep } from './totp.ts'

/** Dependencies of password verification. */
type PasswordDeps = {
  readonly state: { readonly accounts: Accounts }
  readonly hasher: PasswordHasher
  readonly limiter: RateLimiter<'account' | 'address'>
  readonly io: Pick<Runtime, 'elapsedMs'>
}

/** Dependencies of login. */
export type LoginDeps = SessionDeps & PasswordDeps & {
  readonly state: { readonly signOn: SignOns }
  /** Encrypts second-factor secrets at rest. */
  readonly secrets: SecretBox
  readonly io: Pick<Runtime, 'now' | 'elapsedMs' | 'randomBytes'>
}

/** Credentials of a login. */
export type Credentials = {
  readonly email: string
  readonly password: string
  /** The user's own password, required at the first login with a one-time password. */
  readonly newPassword?: string | undefined
  /** Six digits, for accounts that have a second factor. */
  readonly totp: string | undefined
  /** The tenant, for accounts with users in several. */
  readonly tenant: TenantId | undefined
  /** The client address. */
  readonly address: string
  readonly userAgent?: string | undefined
  /** Called with the remaining attempts. */
  readonly onCounted?: (decision: RateDecision) => void
  /** Called with the account once it is found, and again when its password was right. */
  readonly onAccount?: (account: Account, check: AccountCheck) => void
}

type AccountCheck = 'found' | 'password_right'

/** Creates the login rate limiter; every attempt counts, successful ones included. */
export function createLoginLimiter(): RateLimiter<'account' | 'address'> {
  const { windowMs, countedMax: keysMax, loginsPerAccountMax, loginsPerAddressMax } = limits.rate
  return new RateLimiter([
    { kind: 'account', requestsMax: loginsPerAccountMax, windowMs, keysMax },
    { kind: 'address', requestsMax: loginsPerAddressMax, windowMs, keysMax },
  ])
}

/**
 * Logs in with email and password. Neither the response nor its timing reveals whether the account exists; further
 * requirements are only revealed with the right password.
 *
 * @throws AppError UNAUTHORIZED; FORBIDDEN if the password is right and a code or a new password is needed, which
 *   `details.needs` names; INVALID_PARAMETER for an account of several tenants without a chosen one, or an
 *   unacceptable new password; RATE_LIMITED; UNAVAILABLE.
 */
export async function login(deps: LoginDeps, credentials: Credentials): Promise<TokenPair> {
  const { account, verdict } = await checkPassword(deps, credentials)
  const step = verifyTotpCode(openTotpSecret(deps.secrets, account), { code: credentials.totp, nowMs: deps.io.now() })
  const { tenant, user } = await chooseUser(deps, { account, wanted: credentials.tenant })
  const ownHash = await hashNewPassword(deps, account, credentials)
  // The last check that can fail, because it consumes the code.
  if (step !== undefined && !await deps.state.accounts.useTotpStep(account.email, step)) throw createWrongCredentialsError()
  if (ownHash !== undefined) await replaceOneTimePassword(deps, account, ownHash)
  else if (verdict === 'outdated') await upgradePasswordHash(deps, account, credentials.password)
  const client = readSessionClient({ ip: credentials.address, userAgent: credentials.userAgent })
  return openSession(deps, tenant, user, { client })
}

/**
 * Counts an attempt and verifies the password of an account.
 *
 * @throws AppError UNAUTHORIZED, the same for a wrong password and an unknown account; RATE_LIMITED; UNAVAILABLE.
 */
export async function checkPassword(
  deps: PasswordDeps, credentials: Pick<Credentials, 'email' | 'password' | 'address' | 'onCounted' | 'onAccount'>,
): Promise<{ readonly account: Account; readonly verdict: Exclude<PasswordVerdict, 'wrong'> }> {
  const { email: written, password, address, onCounted, onAccount } = credentials
  // Cut to one character more than the longest address, so that longer ones are cheap to refuse.
  const email = normalizeAccountEmail(written.slice(0, limits.auth.emailLengthMax + 1))
  const counted = countLoginAttempt(deps, { email, address })
  onCounted?.(counted)
  const account = email.length <= limits.auth.emailLengthMax ? await deps.state.accounts.find(email) : undefined
  if (account !== undefined) onAccount?.(account, 'found')
  const verdict = await deps.hasher.verify(password, account?.passwordHash)
  if (account === undefined || verdict === 'wrong') throw createWrongCredentialsError()
  onAccount?.(account, 'password_right')
  return { account, verdict }
}

/** Counts an attempt to log in. @throws AppError RATE_LIMITED. */
export function countLoginAttempt(
  { limiter, io }: Pick<PasswordDeps, 'limiter' | 'io'>, { email, address }: Pick<Credentials, 'email' | 'address'>,
): RateDecision {
  const decision = limiter.consume([{ kind: 'account', key: email }, { kind: 'address', key: getAddressPrefix(address) }], io.elapsedMs())
  if (!decision.isAllowed) throw new RateLimitedError(decision)
  return decision
}

/** Verifies the TOTP code of an account with a second factor and returns its time step. */
function verifyTotpCode(
  secret: Uint8Array | undefined, { code, nowMs }: { readonly code: string | undefined; readonly nowMs: number },
): number | undefined {
  if (secret === undefined) return undefined
  if (code === undefined) throw new AppError('FORBIDDEN', 'the account has a second factor; send its code as totp', { needs: 'totp' })
  const step = findTotpStep(secret, code, nowMs)
  if (step === undefined) throw createWrongCredentialsError()
  return step
}

type UserChoice = { readonly account: Account; readonly wanted: TenantId | undefined }

async function chooseUser(
  { state: { users, signOn } }: LoginDeps, { account, wanted }: UserChoice,
): Promise<{ tenant: TenantId; user: User }> {
  const memberships = account.memberships.filter(({ tenant }) => wanted === undefined || tenant === wanted)
  if (memberships.length > 1) {
    const tenants = memberships.map(({ tenant }) => tenant)
    const message = `the account belongs to ${tenants.length} tenants; choose one with 'tenant_id'`
    throw new AppError('INVALID_PARAMETER', message, { tenants })
  }
  const [membership] = memberships
  const user = membership === undefined ? undefined : await users.get(membership.tenant, membership.userId)
  if (membership === undefined || user === undefined || !user.isActive) throw createWrongCredentialsError()
  await checkMayUsePassword(signOn, membership.tenant, user)
  return { tenant: membership.tenant, user }
}

/**
 * While a tenant enforces sign-on, passwords are for the account that it keeps for emergencies, and for operators of the platform,
 * whom no tenant's provider knows.
 *
 * @throws AppError FORBIDDEN.
 */
export async function checkMayUsePassword(signOn: SignOns, tenant: TenantId, { id, roles }: User): Promise<void> {
  const { isEnforced, breakGlassUserId } = await signOn.get(tenant)
  if (!isEnforced || id === breakGlassUserId || roles.includes('operator')) return
  throw new AppError('FORBIDDEN', 'your organization requires its own sign-on; log in with it', { needs: 'sign_on' })
}

/** Hashes the new password that replaces a one-time password; undefined for an account with its own password. */
async function hashNewPassword(
  { hasher }: LoginDeps, { email, hasOneTimePassword }: Account, { password, newPassword }: Credentials,
): Promise<string | undefined> {
  if (!hasOneTimePassword) {
    if (newPassword === undefined) return undefined
    throw new AppError('INVALID_PARAMETER', 'new_password is only allowed when logging in with a one-time password')
  }
  if (newPassword === undefined) {
    throw new AppError('FORBIDDEN', 'the password is valid for one login; choose your own with new_password', { needs: 'new_password' })
  }
  if (newPassword === password) throw new AppError('INVALID_PARAMETER', 'the new password must differ from the one-time password')
  return await hasher.hash(newPassword, email)
}

/** Of two concurrent logins with a one-time password only one succeeds. */
async function replaceOneTimePassword({ state: { accounts } }: LoginDeps, { email, passwordHash }: Account, to: string): Promise<void> {
  const isTaken = passwordHash !== undefined && await accounts.replacePasswordHash(email, { from: passwordHash, to })
  if (!isTaken) throw createWrongCredentialsError()
}

/** Login is the only moment at which the password is known. A hash that changed meanwhile is kept. */
async function upgradePasswordHash(
  { hasher, state: { accounts } }: LoginDeps, { email, passwordHash }: Account, password: string,
): Promise<void> {
  if (passwordHash === undefined) return
  await accounts.replacePasswordHash(email, { from: passwordHash, to: await hasher.rehash(password) })
}

/** The error of every failed login, so that it reveals nothing. */
export function createWrongCredentialsError(): AppError {
  return new AppError('UNAUTHORIZED', 'email, password or code is wrong')
}
