import type { Runtime } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import { normalizeAccountEmail } from '@tripline/model/access/account'
import type { Role } from '@tripline/model/access/permission'
import type { User, UserInterface } from '@tripline/model/access/user'
import { createUuidV7 } from '@tripline/model/ids'
import type { TenantId } from '@tripline/model/tenant'
import type { Stores } from '@tripline/state/ports/state-store'
import { limits } from '../limits.ts'

export type NewUser = {
  readonly email: string
  readonly name: string
  readonly roles: readonly Role[]
  readonly interface?: UserInterface | undefined
}

/** How the account of a new user is created or joined. */
type AccountTerms = {
  /** For a newly created account. */
  readonly passwordHash: string
  readonly hasOneTimePassword: boolean
  /**
   * Whether an account with users in other tenants may join this tenant. People in those tenants may know its
   * password, so only platform operators decide this.
   */
  readonly mayJoin: boolean
}

type AddedUser = { readonly user: User; readonly hasNewAccount: boolean }

/**
 * Adds a user to a tenant, and an account if the email address has none, in the caller's transaction.
 *
 * @throws AppError CONFLICT for an address that is taken or a tenant at its limit of users.
 */
export async function addUser(
  { accounts, users }: Pick<Stores, 'accounts' | 'users'>,
  { clock, randomBytes }: { readonly clock: Pick<Runtime, 'now'>; readonly randomBytes: Runtime['randomBytes'] },
  tenant: TenantId,
  { email, name, roles, interface: pages = 'console' }: NewUser,
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
    // An account without users in any tenant is orphaned; its old password must not be trusted.
    await accounts.remove(email)
    await accounts.insert({ email: normalizeAccountEmail(email), passwordHash, hasOneTimePassword, totpSecret: undefined })
  }
  const stamps = { permissionsVersion: 1, version: 1, createdAt: at, updatedAt: at }
  const user: User = { id: createUuidV7(at, randomBytes), email, name, roles, interface: pages, isActive: true, ...stamps }
  await users.insert(tenant, user)
  return { user, hasNewAccount: !isShared }
}
