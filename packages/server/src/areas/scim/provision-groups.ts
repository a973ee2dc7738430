import { AppError } from '@tripline/contract/app-error'
import type { Principal } from '@tripline/model/access/principal'
import type { ProvisionedGroup } from '@tripline/model/access/provisioning'
import { createUuidV7 } from '@tripline/model/ids'
import { requireFound } from '@tripline/state/ports/version-conflict'
import { recordAudit } from '../../audit/record-audit.ts'
import { limits } from '../../limits.ts'
import { applyPatch } from '../../scim/apply-patch.ts'
import { toWantedGroup } from '../../scim/group-resource.ts'
import type { WantedGroup } from '../../scim/group-resource.ts'
import { readResource } from '../../scim/read-resource.ts'
import { groupType } from '../../scim/resource-types.ts'
import { createScimError } from '../../scim/scim-error.ts'
import type { AdminDeps } from '../shared/admin-deps.ts'
import { createNameError, createStatement, listStatedUsers } from './provision-users.ts'
import { assignRoles, changeProvisioning } from './provisioning-change.ts'
import type { ProvisioningChange } from './provisioning-change.ts'

type Body = { readonly [name: string]: unknown }

/** Adds a group and gives its members the role of the group. @throws AppError CONFLICT for a name that is taken or a full tenant. */
export async function createGroup(deps: AdminDeps, caller: Principal, body: Body): Promise<ProvisionedGroup> {
  const wanted = toWantedGroup(readResource(groupType, body))
  return await changeProvisioning(deps, caller, async (change) => {
    const { stores: { provisioning }, at } = change
    const { groupsMax } = limits.scim
    if ((await provisioning.listGroups(caller.tenant)).length >= groupsMax) {
      throw new AppError('CONFLICT', `the tenant has reached its limit of ${groupsMax} groups; remove one first`)
    }
    const id = createUuidV7(at, deps.randomBytes)
    return await saveGroup(change, { id, displayName: '', externalId: '', memberIds: [], createdAt: at, updatedAt: at }, wanted)
  })
}

/** Replaces a group. @throws StoreError NOT_FOUND; AppError CONFLICT for a name that is taken. */
export async function replaceGroup(deps: AdminDeps, caller: Principal, id: string, body: Body): Promise<ProvisionedGroup> {
  const wanted = toWantedGroup(readResource(groupType, body))
  return await changeProvisioning(deps, caller, async (change) => await saveGroup(change, await getGroup(change, id), wanted))
}

/** Changes a group. @throws as `replaceGroup`, and AppError as `applyPatch`. */
export async function patchGroup(deps: AdminDeps, caller: Principal, id: string, body: Body): Promise<ProvisionedGroup> {
  return await changeProvisioning(deps, caller, async (change) => {
    const group = await getGroup(change, id)
    const { displayName, externalId, memberIds } = group
    const resource = { displayName, externalId, members: memberIds.map((value) => ({ value })) }
    return await saveGroup(change, group, toWantedGroup(applyPatch(groupType, resource, body)))
  })
}

/** Removes a group; its members lose the role that it gave. @throws StoreError NOT_FOUND. */
export async function removeGroup(deps: AdminDeps, caller: Principal, id: string): Promise<void> {
  await changeProvisioning(deps, caller, async (change) => {
    const { stores, at } = change
    const { displayName, memberIds } = await getGroup(change, id)
    await stores.provisioning.removeGroup(caller.tenant, id)
    const diff = { name: [displayName, null], members: noteMembers([], memberIds) }
    await recordAudit(stores, caller, { at, action: 'group.remove', target: { type: 'group', id }, diff })
    await assignRoles(change, { came: [], left: memberIds })
  })
}

async function getGroup({ stores: { provisioning }, caller }: ProvisioningChange, id: string): Promise<ProvisionedGroup> {
  return requireFound(await provisioning.getGroup(caller.tenant, id), 'group')
}

async function saveGroup(change: ProvisioningChange, before: ProvisionedGroup, wanted: WantedGroup): Promise<ProvisionedGroup> {
  const { stores, caller: { tenant }, at } = change
  const [present, stated] = [new Set(before.memberIds), new Set(wanted.memberIds)]
  const came = wanted.memberIds.filter((id) => !present.has(id))
  const left = before.memberIds.filter((id) => !stated.has(id))
  await checkMembers(change, came)
  const group: ProvisionedGroup = { ...before, ...wanted, updatedAt: at }
  if (await stores.provisioning.putGroup(tenant, group) === 'taken') {
    throw createScimError('uniqueness', `another group of the tenant has the name '${wanted.displayName}'`)
  }
  const isRenamed = before.displayName !== group.displayName || before.externalId !== group.externalId
  const diff = {
    ...(before.displayName !== group.displayName && { name: [before.displayName === '' ? null : before.displayName, group.displayName] }),
    ...(before.externalId !== group.externalId && { external_id: [before.externalId, group.externalId] }),
    ...((came.length > 0 || left.length > 0) && { members: noteMembers(came, left) }),
  }
  if (Object.keys(diff).length === 0) return group
  const action = before.displayName === '' ? 'group.create' : 'group.update'
  await recordAudit(stores, change.caller, { at, action, target: { type: 'group', id: group.id }, diff })
  // Members of a group with another name may have had their role of the old one.
  await assignRoles(change, { came, left: isRenamed ? [...left, ...before.memberIds] : left })
  return group
}

async function checkMembers({ stores, caller: { tenant }, at }: ProvisioningChange, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const { membersMax } = limits.scim
  const present = [...(await stores.provisioning.countMembers(tenant)).values()].reduce((sum, count) => sum + count, 0)
  if (present + ids.length > membersMax) {
    throw new AppError('CONFLICT', `the groups of the tenant have at most ${membersMax} members together; remove some first`)
  }
  const entries = new Map((await listStatedUsers(stores, tenant)).map((entry) => [entry.user.id, entry]))
  for (const id of ids) {
    const entry = entries.get(id)
    if (entry === undefined) throw createScimError('invalidValue', `there is no user with the id '${id.slice(0, 64)}'`)
    if (entry.stated !== undefined) continue
    // A user whom only logins stated is provisioned from here on.
    if (await stores.provisioning.putUser(tenant, createStatement(entry.user, at)) === 'taken') {
      throw createNameError(entry.user.email)
    }
  }
}

/** Members in an entry of the audit trail; of many the first ones, with their number. */
function noteMembers(came: readonly string[], left: readonly string[]): object {
  const { membersNotedMax: max } = limits.scim
  return { added: came.slice(0, max), added_count: came.length, removed: left.slice(0, max), removed_count: left.length }
}
