import { normalizeAccountEmail } from '../domain/account.ts'
import { AppError } from '../domain/app-error.ts'
import { createUuidV7 } from '../domain/ids.ts'
import type { Role } from '../domain/permission.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { User } from '../domain/user.ts'
import { limits } from '../limits.ts'
import type { Stores } from '../store/state-store.ts'
import type { AdminApp } from './admin-app.ts'

export type NewUser = { readonly email: string; readonly name: string; readonly roles: readonly Role[] }

/** What becomes of the account of a new user. */
export type AccountTerms = {
  /** For an account that is made here. */
  readonly passwordHash: string
  readonly hasOneTimePassword: boolean
  /**
   * Whether an account that other tenants have users of may become one of this tenant's too. Its password is known to
   * whoever they gave it to, so only those decide who run the server.
   */
  readonly mayJoin: boolean
}

export type AddedUser = { readonly user: User; readonly hasNewAccount: boolean }

/**
 * Adds a user to a tenant, with an account where the address has none; in a transaction of the caller's.
 *
 * @throws AppError CONFLICT for an address that is taken, or a tenant that has as many users as it may.
 */
export async function addUser(
  { accounts, users }: Pick<Stores, 'accounts' | 'users'>,
  { clock, randomBytes }: Pick<AdminApp, 'clock' | 'randomBytes'>,
  tenant: TenantId,
  { email, name, roles }: NewUser,
  { passwordHash, hasOneTimePassword, mayJoin }: AccountTerms,
): Promise<AddedUser> {
  const at = clock.now()
  const { usersMax } = limits.admin
  if ((await users.list(tenant)).length >= usersMax) {
    throw new AppError('CONFLICT', `the tenant has reached its limit of ${usersMax} users; remove one first`)
  }
  const taken = { parameter: 'email', value: email }
  if (await users.findByEmail(tenant, email) !== undefined) {
    throw new AppError('CONFLICT', 'the tenant already has a user with this email address', taken)
  }
  const isShared = (await accounts.tenantsOf(email)).length > 0
  if (isShared && !mayJoin) {
    const message = 'the email address already has an account; ask the platform operator to add it to this tenant'
    throw new AppError('CONFLICT', message, taken)
  }
  if (!isShared) {
    // An account that no tenant has a user of is nobody's; its password, if it has one, is not to be trusted.
    await accounts.remove(email)
    await accounts.insert({ email: normalizeAccountEmail(email), passwordHash, hasOneTimePassword, totpSecret: undefined })
  }
  const stamps = { version: 1, createdAt: at, updatedAt: at }
  const user: User = { id: createUuidV7(at, randomBytes), email, name, roles, isActive: true, permissionsVersion: 1, ...stamps }
  await users.insert(tenant, user)
  return { user, hasNewAccount: !isShared }
}
