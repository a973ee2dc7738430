import { AppError } from '@tripline/contract/app-error'
import type { Role } from '@tripline/model/access/permission'
import type { Principal } from '@tripline/model/access/principal'
import type { User, UserInterface } from '@tripline/model/access/user'
import type { TenantId } from '@tripline/model/tenant'
import type { Stores } from '@tripline/state/ports/state-store'
import { unwrapChange, checkVersion, requireFound } from '@tripline/state/ports/version-conflict'
import type { VersionedPatch } from '@tripline/state/ports/version-conflict'
import { addUser } from '../../access/add-user.ts'
import type { NewUser } from '../../access/add-user.ts'
import { createTemporaryPassword } from '../../access/login/temporary-password.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { AdminDeps } from '../shared/admin-deps.ts'
import { endAllSessions, revokeSessions, revokeCachedTokens } from '../shared/revoke-sessions.ts'

export type { NewUser }

/** A created user, and the one-time password if the account is new. */
type CreatedUser = { readonly user: User; readonly oneTimePassword: string | undefined }

/** Changeable attributes of a user. */
type UserPatch = {
  readonly name?: string | undefined
  readonly roles?: readonly Role[] | undefined
  readonly interface?: UserInterface | undefined
  readonly isActive?: boolean | undefined
}

/** Lists all users of a tenant by id. */
export function listUsers({ state }: AdminDeps, tenant: TenantId): Promise<readonly User[]> {
  return state.users.list(tenant)
}

/** Lists the active users of a tenant by name. */
export async function listPeople({ state }: Pick<AdminDeps, 'state'>, tenant: TenantId): Promise<readonly User[]> {
  const active = (await state.users.list(tenant)).filter(({ isActive }) => isActive)
  return active.toSorted((one, other) => one.name.localeCompare(other.name) || one.email.localeCompare(other.email))
}

/** @throws AppError NOT_FOUND. */
export async function getUser({ state }: AdminDeps, tenant: TenantId, id: string): Promise<User> {
  return requireFound(await state.users.get(tenant, id), 'user')
}

/**
 * Adds a user to the principal's tenant. Only platform operators can add an account that other tenants use.
 *
 * @throws AppError FORBIDDEN for a role above the principal's own, CONFLICT for an address that is taken.
 */
export async function createUser(deps: AdminDeps, caller: Principal, newUser: NewUser): Promise<CreatedUser> {
  checkRoleGrant(caller, newUser.roles)
  const password = await createTemporaryPassword(deps)
  const terms = { passwordHash: password.hash, hasOneTimePassword: true, mayJoin: caller.actor.type === 'system' }
  const { user, hasNewAccount } = await deps.state.transaction(async (stores) => {
    const added = await addUser(stores, deps, caller.tenant, newUser, terms)
    const { id, email, name, roles } = added.user
    const diff = { email: [null, email], name: [null, name], roles: [[], roles] }
    await recordAudit(stores, caller, { at: deps.clock.now(), action: 'user.create', target: { type: 'user', id }, diff })
    return added
  })
  return { user, oneTimePassword: hasNewAccount ? password.text : undefined }
}

/**
 * Changes a user. Changing roles or disabling the user revokes all sessions: here at once, in other processes within five
 * seconds.
 *
 * @throws AppError NOT_FOUND, PRECONDITION_FAILED; FORBIDDEN for a role above the principal's own; CONFLICT if the tenant
 *   would lose its last active admin.
 */
export async function changeUser(
  deps: AdminDeps, caller: Principal, id: string, { patch, versions }: VersionedPatch<UserPatch>,
): Promise<User> {
  const at = deps.clock.now()
  const { user, isOtherwiseAllowed } = await deps.state.transaction(async (stores) => {
    const before = requireFound(await stores.users.get(caller.tenant, id), 'user')
    checkRoleGrant(caller, [...before.roles, ...(patch.roles ?? [])])
    checkVersion(before, versions, 'user')
    const isManagedHere = before.externalIssuer === undefined || (patch.name === undefined && patch.roles === undefined)
    if (!isManagedHere) throw createManagedElsewhereError("only 'is_active' can be changed here")
    const { name = before.name, roles = before.roles, interface: pages = before.interface, isActive = before.isActive } = patch
    // Tokens of an external issuer carry no permissions version: the time of the change ends them.
    const wanted = { name, roles, interface: pages, isActive, ...(isActive !== before.isActive && { tokensValidFrom: at }) }
    const diff = diffUsers(before, { ...before, ...wanted })
    if (Object.keys(diff).length === 0) return { user: before, isOtherwiseAllowed: false }
    await checkAdminRemains(stores, caller.tenant, { ...before, ...wanted })
    await checkBreakGlassRemains(stores, caller.tenant, { ...before, ...wanted })
    const change = await stores.users.update(caller.tenant, id, wanted, { expectedVersion: before.version, at })
    // Only a changed address could be taken.
    if (change.outcome === 'taken') throw new Error('a user who keeps the address is said to have taken one')
    const user = unwrapChange(change, 'user')
    const isOtherwiseAllowed = user.permissionsVersion !== before.permissionsVersion
    if (isOtherwiseAllowed) await stores.sessions.revokeAll(caller.tenant, id, at)
    await recordAudit(stores, caller, { at, action: 'user.update', target: { type: 'user', id }, diff })
    return { user, isOtherwiseAllowed }
  })
  if (isOtherwiseAllowed) deps.identity.tokens.cache.revoke(caller.tenant, { subject: id })
  return user
}

/**
 * Removes a user with their sessions, and the account if no other tenant uses it.
 *
 * @throws AppError NOT_FOUND, FORBIDDEN, CONFLICT as `changeUser` does.
 */
export async function removeUser(deps: AdminDeps, caller: Principal, id: string): Promise<void> {
  await deps.state.transaction(async (stores) => {
    const user = requireFound(await stores.users.get(caller.tenant, id), 'user')
    checkRoleGrant(caller, user.roles)
    if (user.externalIssuer !== undefined) throw createManagedElsewhereError('the next token would add the user again; disable the user')
    await checkAdminRemains(stores, caller.tenant, { ...user, isActive: false })
    await checkBreakGlassRemains(stores, caller.tenant, { ...user, isActive: false })
    // Recorded before the removal, so that users who remove themselves are recorded with their address.
    const diff = { email: [user.email, null], roles: [user.roles, []] }
    await recordAudit(stores, caller, { at: deps.clock.now(), action: 'user.remove', target: { type: 'user', id }, diff })
    await stores.users.remove(caller.tenant, id)
    await stores.accounts.remove(user.email)
  })
  deps.identity.tokens.cache.revoke(caller.tenant, { subject: id })
}

/**
 * Resets a user's password to a one-time password and revokes all sessions of the account.
 *
 * @throws AppError NOT_FOUND; FORBIDDEN for a user with more permissions than the principal; CONFLICT for the principal's
 *   own account, and for an account that other tenants use.
 */
export async function resetPassword(deps: AdminDeps, caller: Principal, id: string): Promise<string> {
  const password = await createTemporaryPassword(deps)
  const at = deps.clock.now()
  const ended = await deps.state.transaction(async (stores) => {
    const { email } = await getUserWithOwnAccount(stores, caller, id)
    await stores.accounts.setPasswordHash(email, password.hash, 'one_time')
    await recordAudit(stores, caller, { at, action: 'user.reset_password', target: { type: 'user', id } })
    return await revokeSessions(stores, email, at)
  })
  revokeCachedTokens(deps, ended)
  return password.text
}

/**
 * Removes the second factor of a user who lost it; where one is required, the user must add another first.
 *
 * @throws AppError as `resetPassword` does.
 */
export async function removeSecondFactor(deps: AdminDeps, caller: Principal, id: string): Promise<void> {
  await deps.state.transaction(async (stores) => {
    const { email } = await getUserWithOwnAccount(stores, caller, id)
    await stores.accounts.setTotpSecret(email, undefined)
    await recordAudit(stores, caller, { at: deps.clock.now(), action: 'user.remove_second_factor', target: { type: 'user', id } })
  })
  deps.identity.tokens.cache.revoke(caller.tenant, { subject: id })
}

/** Gets a user whose account only this tenant uses and who is not the principal. */
async function getUserWithOwnAccount({ users, accounts }: Stores, caller: Principal, id: string): Promise<User> {
  const user = requireFound(await users.get(caller.tenant, id), 'user')
  checkRoleGrant(caller, user.roles)
  if (caller.actor.type === 'user' && caller.actor.id === id) {
    throw new AppError('CONFLICT', "change your own password and second factor under /v1/auth")
  }
  const account = user.externalIssuer === undefined ? await accounts.find(user.email) : undefined
  if (account === undefined) throw createManagedElsewhereError('the user has no password or second factor here')
  const isShared = (await accounts.tenantsOf(user.email)).some((tenant) => tenant !== caller.tenant)
  if (isShared && caller.actor.type !== 'system') {
    const message = 'the account belongs to several tenants; only its owner or the platform operator can change it'
    throw new AppError('CONFLICT', message)
  }
  return user
}

/** The error for what the external issuer of a user decides. */
function createManagedElsewhereError(remedy: string): AppError {
  return new AppError('CONFLICT', `an external issuer manages this user; ${remedy}`)
}

/**
 * Logs a user out everywhere, as `endAllSessions` does.
 *
 * @throws AppError NOT_FOUND; FORBIDDEN for a role above the principal's own.
 */
export async function logOutUser(deps: AdminDeps, caller: Principal, id: string): Promise<void> {
  const isOwn = caller.actor.type === 'user' && caller.actor.id === id
  await endAllSessions(deps, caller, id, ({ roles }) => {
    if (!isOwn) checkRoleGrant(caller, roles)
  })
}

/** The changed attributes, as the audit trail records them. */
function diffUsers(before: User, after: User): { readonly [name: string]: unknown } {
  const pairs = {
    name: [before.name, after.name], roles: [before.roles, after.roles], is_active: [before.isActive, after.isActive],
    interface: [before.interface, after.interface],
  }
  return Object.fromEntries(Object.entries(pairs).filter(([, [from, to]]) => JSON.stringify(from) !== JSON.stringify(to)))
}

/** Principals cannot grant a role above their own or change a user who has it; `operator` is the only such role. */
function checkRoleGrant({ grants }: Principal, roles: readonly Role[]): void {
  if (!roles.includes('operator') || grants.includes('operator')) return
  throw new AppError('FORBIDDEN', "only an operator can grant the role 'operator' or change a user who has it", { role: 'operator' })
}

/** While sign-on is enforced, the admin who can still log in by password stays one. */
async function checkBreakGlassRemains({ signOn }: Stores, tenant: TenantId, { id, roles, isActive }: User): Promise<void> {
  const { isEnforced, breakGlassUserId } = await signOn.get(tenant)
  if (!isEnforced || id !== breakGlassUserId || (isActive && roles.includes('admin'))) return
  throw new AppError('CONFLICT', 'this admin is the one who can log in while sign-on fails; choose another under sign-on first')
}

async function checkAdminRemains({ users }: Stores, tenant: TenantId, next: User): Promise<void> {
  // The roles of a user of an external issuer are not in our hands, so such an admin does not count.
  const isAdmin = ({ roles, isActive, externalIssuer }: User): boolean =>
    externalIssuer === undefined && isActive && roles.includes('admin')
  const [admin, ...others] = (await users.list(tenant)).filter(isAdmin)
  const isOnlyOne = admin?.id === next.id && others.length === 0
  if (!isOnlyOne || isAdmin(next)) return
  throw new AppError('CONFLICT', 'cannot remove the last active admin; add another admin first')
}
