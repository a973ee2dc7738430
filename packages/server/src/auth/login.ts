import { normalizeAccountEmail } from '../domain/account.ts'
import type { Account } from '../domain/account.ts'
import { AppError } from '../domain/app-error.ts'
import type { SecretBox } from '../domain/secret-box.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { User } from '../domain/user.ts'
import { limits } from '../limits.ts'
import type { Runtime } from '../runtime.ts'
import { getAddressPrefix } from './address-prefix.ts'
import type { PasswordHasher, PasswordVerdict } from './password.ts'
import type { Accounts } from './ports.ts'
import { RateLimitedError, RateLimiter } from './rate-limiter.ts'
import type { RateDecision } from './rate-limiter.ts'
import { openSession } from './session.ts'
import type { SessionDeps, TokenPair } from './session.ts'
import { openTotpSecret } from './totp-secret.ts'
import { findTotpStep } from './totp.ts'

/** What it takes to know that a password is right. */
export type PasswordDeps = {
  readonly accounts: Accounts
  readonly hasher: PasswordHasher
  readonly limiter: RateLimiter<'account' | 'address'>
  readonly io: Pick<Runtime, 'elapsedMs'>
}

/** What it takes to log somebody in. */
export type LoginDeps = SessionDeps & PasswordDeps & {
  /** What secrets of second factors are sealed in. */
  readonly secrets: SecretBox
  readonly io: Pick<Runtime, 'now' | 'elapsedMs' | 'randomBytes'>
}

/** What somebody says who wants in. */
export type Credentials = {
  readonly email: string
  readonly password: string
  /** What is to take the place of a password that was given by somebody else, with the first login. */
  readonly newPassword?: string | undefined
  /** Six digits, for accounts that have a second factor. */
  readonly totp: string | undefined
  /** Which tenant, for accounts that are users of several. */
  readonly tenant: TenantId | undefined
  /** Where the request came from, as the connection says it. */
  readonly address: string
  /** Told how many more attempts may come. */
  readonly onCounted?: (decision: RateDecision) => void
}

/** The limits of D-29; every attempt counts, also one that is right. */
export function createLoginLimiter(): RateLimiter<'account' | 'address'> {
  const { windowMs, countedMax: keysMax, loginsPerAccountMax, loginsPerAddressMax } = limits.rate
  return new RateLimiter([
    { kind: 'account', requestsMax: loginsPerAccountMax, windowMs, keysMax },
    { kind: 'address', requestsMax: loginsPerAddressMax, windowMs, keysMax },
  ])
}

/**
 * Logs in with email and password (D-25). Whether there is such an account, is told neither by the answer nor by
 * the time it takes; what else is needed of somebody, only to who knows the password.
 *
 * @throws AppError UNAUTHORIZED, INVALID_PARAMETER for an account of several tenants that names none or a new password
 * that cannot be taken, RATE_LIMITED, UNAVAILABLE.
 */
export async function login(room: LoginDeps, credentials: Credentials): Promise<TokenPair> {
  const { account, verdict } = await checkPassword(room, credentials)
  const step = verifyTotpCode(openTotpSecret(room.secrets, account), { code: credentials.totp, nowMs: room.io.now() })
  const { tenant, user } = await chooseUser(room, { account, wanted: credentials.tenant })
  const ownHash = await hashNewPassword(room, account, credentials)
  // Last of what may refuse: a code that was used is lost.
  if (step !== undefined && !await room.accounts.useTotpStep(account.email, step)) throw createWrongCredentialsError()
  if (ownHash !== undefined) await replaceOneTimePassword(room, account, ownHash)
  else if (verdict === 'outdated') await upgradePasswordHash(room, account, credentials.password)
  return openSession(room, tenant, user)
}

/**
 * Counts an attempt and compares a password with that of an account.
 *
 * @throws AppError UNAUTHORIZED, the same for a wrong password and no such account; RATE_LIMITED, UNAVAILABLE.
 */
export async function checkPassword(
  room: PasswordDeps, { email: written, password, address, onCounted }: Pick<Credentials, 'email' | 'password' | 'address' | 'onCounted'>,
): Promise<{ readonly account: Account; readonly verdict: Exclude<PasswordVerdict, 'wrong'> }> {
  // No address is longer, and what is longer is not looked at to its end.
  const email = normalizeAccountEmail(written.slice(0, limits.auth.emailLengthMax + 1))
  const counted = countAttempt(room, { email, address })
  onCounted?.(counted)
  const account = email.length <= limits.auth.emailLengthMax ? await room.accounts.find(email) : undefined
  const verdict = await room.hasher.verify(password, account?.passwordHash)
  if (account === undefined || verdict === 'wrong') throw createWrongCredentialsError()
  return { account, verdict }
}

function countAttempt({ limiter, io }: PasswordDeps, { email, address }: Pick<Credentials, 'email' | 'address'>): RateDecision {
  const decision = limiter.consume([{ kind: 'account', key: email }, { kind: 'address', key: getAddressPrefix(address) }], io.elapsedMs())
  if (!decision.isAllowed) throw new RateLimitedError(decision)
  return decision
}

/** The time step of the code, for an account that has a second factor. */
function verifyTotpCode(
  secret: Uint8Array | undefined, { code, nowMs }: { readonly code: string | undefined; readonly nowMs: number },
): number | undefined {
  if (secret === undefined) return undefined
  if (code === undefined) throw new AppError('UNAUTHORIZED', 'the account has a second factor; send its code as totp', { needs: 'totp' })
  const step = findTotpStep(secret, code, nowMs)
  if (step === undefined) throw createWrongCredentialsError()
  return step
}

type UserChoice = { readonly account: Account; readonly wanted: TenantId | undefined }

async function chooseUser({ users }: LoginDeps, { account, wanted }: UserChoice): Promise<{ tenant: TenantId; user: User }> {
  const memberships = account.memberships.filter(({ tenant }) => wanted === undefined || tenant === wanted)
  if (memberships.length > 1) {
    const tenants = memberships.map(({ tenant }) => tenant)
    const message = `the account belongs to ${tenants.length} tenants; choose one with 'tenant_id'`
    throw new AppError('INVALID_PARAMETER', message, { tenants })
  }
  const [membership] = memberships
  const user = membership === undefined ? undefined : await users.get(membership.tenant, membership.userId)
  if (membership === undefined || user === undefined || !user.isActive) throw createWrongCredentialsError()
  return { tenant: membership.tenant, user }
}

/** The hash of the password that takes the place of a given one; undefined where the account has one of its own. */
async function hashNewPassword(
  { hasher }: LoginDeps, { hasOneTimePassword }: Account, { password, newPassword }: Credentials,
): Promise<string | undefined> {
  if (!hasOneTimePassword) {
    if (newPassword === undefined) return undefined
    throw new AppError('INVALID_PARAMETER', 'new_password is only allowed when logging in with a one-time password')
  }
  if (newPassword === undefined) {
    throw new AppError('UNAUTHORIZED', 'the password is valid for one login; choose your own with new_password', { needs: 'new_password' })
  }
  if (newPassword === password) throw new AppError('INVALID_PARAMETER', 'the new password must differ from the one-time password')
  return await hasher.hash(newPassword)
}

/** Of two who log in at once with a password that is good once, one does. */
async function replaceOneTimePassword({ accounts }: LoginDeps, { email, passwordHash }: Account, to: string): Promise<void> {
  const isTaken = passwordHash !== undefined && await accounts.replacePasswordHash(email, { from: passwordHash, to })
  if (!isTaken) throw createWrongCredentialsError()
}

/** The one moment at which the password is known. If another hash came meanwhile, that one stays. */
async function upgradePasswordHash({ hasher, accounts }: LoginDeps, { email, passwordHash }: Account, password: string): Promise<void> {
  if (passwordHash === undefined) return
  await accounts.replacePasswordHash(email, { from: passwordHash, to: await hasher.rehash(password) })
}

function createWrongCredentialsError(): AppError {
  return new AppError('UNAUTHORIZED', 'email, password or code is wrong')
}
