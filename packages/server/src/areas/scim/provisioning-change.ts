import type { Principal } from '@tripline/model/access/principal'
import type { User } from '@tripline/model/access/user'
import type { Stores, UserChange } from '@tripline/state/ports/state-store'
import { unwrapChange } from '@tripline/state/ports/version-conflict'
import { recordAudit } from '../../audit/record-audit.ts'
import { findStatedRole } from '../../scim/find-stated-role.ts'
import { createScimError } from '../../scim/scim-error.ts'
import type { AdminDeps } from '../shared/admin-deps.ts'

/** A change by a provider on its way: the stores of its transaction, who makes it, and whose sessions it ended. */
export type ProvisioningChange = {
  readonly stores: Stores
  readonly caller: Principal
  readonly at: number
  /** Ids of users who may do other things since. */
  readonly ended: Set<string>
}

/** Runs a change in one transaction, and has this process forget the tokens of users whose sessions it ended. */
export async function changeProvisioning<Result>(
  { state, identity, clock }: AdminDeps, caller: Principal, work: (change: ProvisioningChange) => Promise<Result>,
): Promise<Result> {
  const ended = new Set<string>()
  const result = await state.transaction((stores) => work({ stores, caller, at: clock.now(), ended }))
  for (const subject of ended) identity.tokens.cache.revoke(caller.tenant, { subject })
  return result
}

/**
 * Changes a user, if anything differs. Another state or role ends the sessions at once: here, and in other processes within five
 * seconds.
 *
 * @throws AppError CONFLICT for an address that another user has.
 */
export async function changeProvisionedUser(
  { stores, caller: { tenant }, at, ended }: ProvisioningChange, user: User, wanted: UserChange,
): Promise<{ readonly user: User; readonly diff: { readonly [name: string]: unknown } }> {
  const diff = diffUsers(user, { ...user, ...wanted })
  if (Object.keys(diff).length === 0) return { user, diff }
  const isStateChanged = wanted.isActive !== undefined && wanted.isActive !== user.isActive
  const next = { ...wanted, ...(isStateChanged && { tokensValidFrom: at }) }
  const change = await stores.users.update(tenant, user.id, next, { expectedVersion: user.version, at })
  if (change.outcome === 'taken') throw createTakenError(wanted.email ?? user.email)
  const changed = unwrapChange(change, 'user')
  if (changed.permissionsVersion !== user.permissionsVersion) {
    await stores.sessions.revokeAll(tenant, user.id, at)
    ended.add(user.id)
  }
  return { user: changed, diff }
}

/** The refusal of a user whose address another one has, such as a user with a password here. */
export function createTakenError(email: string): Error {
  const message = `another user of the tenant has the address '${email}'; a user with a password here must be removed first`
  return createScimError('uniqueness', message)
}

function diffUsers(before: User, after: User): { readonly [name: string]: unknown } {
  const pairs = {
    email: [before.email, after.email], name: [before.name, after.name], roles: [before.roles, after.roles],
    is_active: [before.isActive, after.isActive],
  }
  return Object.fromEntries(Object.entries(pairs).filter(([, [from, to]]) => JSON.stringify(from) !== JSON.stringify(to)))
}

/** Whose groups changed: users who came into one keep a role that no group gives, users who left one lose it. */
type MovedUsers = { readonly came: readonly string[]; readonly left: readonly string[] }

/** Gives users the roles of their groups, with an audit entry for each user whose role changes. */
export async function assignRoles(change: ProvisioningChange, { came, left }: MovedUsers): Promise<void> {
  const { stores, caller, at } = change
  for (const id of new Set([...came, ...left])) {
    const [user, stated] = await Promise.all([stores.users.get(caller.tenant, id), stores.provisioning.getUser(caller.tenant, id)])
    if (user === undefined || stated === undefined) continue
    const role = await findStatedRole(stores, caller.tenant, stated)
    if (role === undefined && !left.includes(id)) continue
    const { diff } = await changeProvisionedUser(change, user, { roles: role === undefined ? [] : [role] })
    if (Object.keys(diff).length > 0) await recordAudit(stores, caller, { at, action: 'user.update', target: { type: 'user', id }, diff })
  }
}
