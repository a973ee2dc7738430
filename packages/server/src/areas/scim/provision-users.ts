import type { Principal } from '@tripline/model/access/principal'
import { AppError } from '@tripline/contract/app-error'
import type { ProvisionedUser } from '@tripline/model/access/provisioning'
import type { User } from '@tripline/model/access/user'
import { createUuidV7 } from '@tripline/model/ids'
import type { TenantId } from '@tripline/model/tenant'
import type { Stores } from '@tripline/state/ports/state-store'
import { requireFound } from '@tripline/state/ports/version-conflict'
import { recordAudit } from '../../audit/record-audit.ts'
import { limits } from '../../limits.ts'
import { applyPatch } from '../../scim/apply-patch.ts'
import { findStatedRole } from '../../scim/find-stated-role.ts'
import { readResource } from '../../scim/read-resource.ts'
import type { Resource } from '../../scim/read-resource.ts'
import { userType } from '../../scim/resource-types.ts'
import { createScimError } from '../../scim/scim-error.ts'
import { printUserResource, toWantedUser } from '../../scim/user-resource.ts'
import type { UserEntry, WantedUser } from '../../scim/user-resource.ts'
import type { AdminDeps } from '../shared/admin-deps.ts'
import { changeProvisioning, changeProvisionedUser, createTakenError } from './provisioning-change.ts'
import type { ProvisioningChange } from './provisioning-change.ts'

type Body = { readonly [name: string]: unknown }
type UserStores = Pick<Stores, 'users' | 'provisioning'>

/** The issuer of users whom SCIM added, until a login shows who states them. */
const scimIssuer = 'scim'

/**
 * The users whom a provider may see and change: those of an external issuer. Users with a password here are not among them, so
 * that no provider takes over an account, and neither the last admin nor the one for emergencies can be removed by SCIM.
 */
export async function listStatedUsers({ users, provisioning }: UserStores, tenant: TenantId): Promise<readonly StatedUser[]> {
  const [all, stated] = await Promise.all([users.list(tenant), provisioning.listUsers(tenant)])
  const statedById = new Map(stated.map((one) => [one.userId, one]))
  return all.map((user) => ({ user, stated: statedById.get(user.id) })).filter(isSeen)
}

/** A user and what its provider stated, if it did. */
type StatedUser = Omit<UserEntry, 'groups'>

function isSeen({ user: { externalIssuer }, stated }: StatedUser): boolean {
  return externalIssuer !== undefined && stated?.isRemoved !== true
}

/** Adds the groups of a user. */
export async function addGroups({ provisioning }: UserStores, tenant: TenantId, { user, stated }: StatedUser): Promise<UserEntry> {
  return { user, stated, groups: await provisioning.listGroupsOf(tenant, user.id) }
}

/** @throws StoreError NOT_FOUND, also for a user who was removed or has a password here. */
export async function getUserEntry(stores: UserStores, tenant: TenantId, id: string): Promise<UserEntry> {
  const [found, stated] = await Promise.all([stores.users.get(tenant, id), stores.provisioning.getUser(tenant, id)])
  const user = found !== undefined && isSeen({ user: found, stated }) ? found : undefined
  return await addGroups(stores, tenant, { user: requireFound(user, 'user'), stated })
}

/**
 * Adds a user. One who was removed, or whom a login added with the same address, becomes the user, so that what they did stays
 * theirs.
 *
 * @throws AppError CONFLICT for a user name or an address that is taken, or a tenant at its limit of users.
 */
export async function provisionUser(deps: AdminDeps, caller: Principal, body: Body): Promise<UserEntry> {
  const wanted = toWantedUser(readResource(userType, body))
  return await changeProvisioning(deps, caller, async (change) => {
    const user = await findJoinable(change, wanted) ?? await insertUser(change, wanted, deps)
    return await saveUser(change, user, { ...wanted, isActive: wanted.isActive ?? true }, 'user.create')
  })
}

/** Replaces what a provider stated of a user. @throws as `provisionUser`; StoreError NOT_FOUND. */
export async function replaceUser(deps: AdminDeps, caller: Principal, id: string, body: Body): Promise<UserEntry> {
  const wanted = toWantedUser(readResource(userType, body))
  return await changeProvisioning(deps, caller, async (change) => {
    const { user } = await getUserEntry(change.stores, caller.tenant, id)
    return await saveUser(change, user, wanted, 'user.update')
  })
}

/** Changes what a provider stated of a user. @throws as `replaceUser`, and AppError as `applyPatch`. */
export async function patchUser(deps: AdminDeps, caller: Principal, id: string, body: Body): Promise<UserEntry> {
  return await changeProvisioning(deps, caller, async (change) => {
    const entry = await getUserEntry(change.stores, caller.tenant, id)
    const { schemas: _schemas, id: _id, meta: _meta, groups: _groups, ...resource }: Resource = printUserResource(entry, '')
    return await saveUser(change, entry.user, toWantedUser(applyPatch(userType, resource, body)), 'user.update')
  })
}

/**
 * Removes a user: sessions end, groups lose the member, and the user stays disabled, so that what they did keeps a name and no
 * login adds them again.
 *
 * @throws StoreError NOT_FOUND.
 */
export async function removeProvisionedUser(deps: AdminDeps, caller: Principal, id: string): Promise<void> {
  const { tenant } = caller
  await changeProvisioning(deps, caller, async (change) => {
    const { stores: { provisioning }, at } = change
    const { user, stated, groups } = await getUserEntry(change.stores, tenant, id)
    for (const head of groups) {
      const group = await provisioning.getGroup(tenant, head.id)
      const memberIds = (group?.memberIds ?? []).filter((one) => one !== id)
      await provisioning.putGroup(tenant, { ...head, memberIds, updatedAt: at })
    }
    await changeProvisionedUser(change, user, { isActive: false, roles: [] })
    await provisioning.putUser(tenant, { ...(stated ?? createStatement(user, at)), isRemoved: true, updatedAt: at })
    const diff = { email: [user.email, null], roles: [user.roles, []], is_active: [user.isActive, false] }
    await recordAudit(change.stores, caller, { at, action: 'user.remove', target: { type: 'user', id }, diff })
  })
}

/** What is stored of a user of whom nothing was stated by SCIM so far: what a login stated. */
export function createStatement({ id, email, name, externalIssuer }: User, at: number): ProvisionedUser {
  const attributes = { displayName: name, emails: [{ value: email, primary: true }] }
  const loginId = externalIssuer === scimIssuer ? '' : id
  return { userId: id, userName: email, externalId: '', attributes, loginId, isRemoved: false, createdAt: at, updatedAt: at }
}

/** The user of a login or of an earlier time that a new one becomes; undefined if there is none. @throws AppError CONFLICT. */
async function findJoinable(
  { stores: { users, provisioning }, caller: { tenant } }: ProvisioningChange, wanted: WantedUser,
): Promise<User | undefined> {
  const stated = await provisioning.listUsers(tenant)
  const sameName = stated.find(({ userName }) => userName.toLowerCase() === wanted.userName.toLowerCase())
  if (sameName?.isRemoved === false) throw createNameError(wanted.userName)
  if (sameName !== undefined) return await users.get(tenant, sameName.userId)
  const sameEmail = await users.findByEmail(tenant, wanted.email)
  if (sameEmail === undefined) return undefined
  const isFree = stated.find(({ userId }) => userId === sameEmail.id)?.isRemoved ?? true
  if (sameEmail.externalIssuer === undefined || !isFree) throw createTakenError(wanted.email)
  return sameEmail
}

/** For a user name that another user of the tenant has. */
export function createNameError(userName: string): Error {
  return createScimError('uniqueness', `another user of the tenant has the user name '${userName}'`)
}

async function insertUser(
  { stores: { users }, caller: { tenant }, at }: ProvisioningChange, { email, name }: WantedUser, { randomBytes }: AdminDeps,
): Promise<User> {
  const { usersMax } = limits.admin
  if ((await users.list(tenant)).length >= usersMax) {
    throw new AppError('CONFLICT', `the tenant has reached its limit of ${usersMax} users; remove one first`)
  }
  const stamps = { permissionsVersion: 1, version: 1, createdAt: at, updatedAt: at }
  const state = { roles: [], interface: 'console', isActive: true, externalIssuer: scimIssuer, tokensValidFrom: 0 } as const
  const user: User = { id: createUuidV7(at, randomBytes), email, name, ...state, ...stamps }
  await users.insert(tenant, user)
  return user
}

/** Stores what a provider states of a user, and gives the user its name, address, state and role. */
async function saveUser(
  change: ProvisioningChange, user: User, { isActive = user.isActive, email, name, ...wanted }: WantedUser,
  action: 'user.create' | 'user.update',
): Promise<UserEntry> {
  const { stores, caller, at } = change
  const { tenant } = caller
  const before = await stores.provisioning.getUser(tenant, user.id) ?? createStatement(user, at)
  const stated: ProvisionedUser = { ...before, ...wanted, isRemoved: false, updatedAt: at }
  if (await stores.provisioning.putUser(tenant, stated) === 'taken') throw createNameError(wanted.userName)
  const groups = await stores.provisioning.listGroupsOf(tenant, user.id)
  const role = await findStatedRole(stores, tenant, stated, groups)
  const isLost = role === undefined && JSON.stringify(before.attributes['roles']) !== JSON.stringify(wanted.attributes['roles'])
  const roles = role === undefined ? isLost ? [] : user.roles : [role]
  const changed = await changeProvisionedUser(change, user, { email, name, isActive, roles })
  const diff = action === 'user.create'
    ? { email: [null, email], name: [null, name], user_name: [null, stated.userName], roles: [[], roles], is_active: [null, isActive] }
    : {
      ...changed.diff,
      ...(before.userName !== stated.userName && { user_name: [before.userName, stated.userName] }),
      ...(before.externalId !== stated.externalId && { external_id: [before.externalId, stated.externalId] }),
    }
  if (Object.keys(diff).length > 0) await recordAudit(stores, caller, { at, action, target: { type: 'user', id: user.id }, diff })
  return { user: changed.user, stated, groups }
}
