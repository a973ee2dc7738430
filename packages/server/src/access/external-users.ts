import type { Runtime } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import type { User } from '@tripline/model/access/user'
import { deriveExternalUserId } from '@tripline/model/ids'
import type { StateStore, Stores } from '@tripline/state/ports/state-store'
import { unwrapChange } from '@tripline/state/ports/version-conflict'
import { limits } from '../limits.ts'
import type { ExternalPrincipal } from './tokens/token-principal.ts'
import { unauthorized } from './tokens/token-principal.ts'

/** Users of an external issuer. */
export type ExternalUsers = {
  /**
   * Adds the user of a verified token, or updates name, address and roles. @throws AppError UNAUTHORIZED for an unknown
   * tenant; FORBIDDEN if the tenant has its maximum of users.
   */
  readonly provision: (issuer: string, principal: ExternalPrincipal) => Promise<Pick<User, 'id'>>
}

type ExternalUserDeps = {
  readonly state: Pick<StateStore, 'tenants' | 'users' | 'transaction'>
  readonly clock: Pick<Runtime, 'now'>
}

/**
 * Provisions the users of an external issuer just in time: the first token of a subject adds a user, later tokens update
 * name, email address and roles. The id derives from issuer and subject, so that it stays when the address changes.
 */
export function createExternalUsers({ state, clock }: ExternalUserDeps): ExternalUsers {
  return {
    async provision(issuer, principal) {
      const { tenant } = principal
      if ((await state.tenants.get(tenant))?.isActive !== true) throw unauthorized()
      const id = deriveExternalUserId(issuer, principal.subject)
      const known = await state.users.get(tenant, id)
      if (known !== undefined && isUpToDate(known, principal)) return known
      return await state.transaction((stores) => saveUser(stores, { issuer, id, principal, at: clock.now() }))
    },
  }
}

function isUpToDate({ name, email, roles }: User, { profile, subject, roles: current }: ExternalPrincipal): boolean {
  // An address that another user has was replaced by the subject or the id, and is tried again with each token.
  return name === profile.name && email === (profile.email ?? subject) && roles.join() === current.join()
}

type Provisioning = { readonly issuer: string; readonly id: string; readonly principal: ExternalPrincipal; readonly at: number }

async function saveUser(stores: Stores, { issuer, id, principal, at }: Provisioning): Promise<User> {
  const { tenant, profile, roles } = principal
  const before = await stores.users.get(tenant, id)
  const email = await findFreeEmail(stores, id, principal)
  if (before?.name === profile.name && before.email === email && before.roles.join() === roles.join()) return before
  const next = { email, name: profile.name, roles }
  const after = before === undefined
    ? await insertUser(stores, { ...next, id, externalIssuer: issuer }, principal, at)
    : await updateUser(stores, before, next, principal, at)
  const diff = before === undefined
    ? { email: [null, email], name: [null, after.name], roles: [[], roles], issuer: [null, issuer] }
    : { email: [before.email, email], name: [before.name, after.name], roles: [before.roles, roles] }
  await stores.audit.append(tenant, {
    at, action: before === undefined ? 'user.create' : 'user.update', target: { type: 'user', id }, outcome: 'success', diff,
    actor: { type: 'system', id: 'external_issuer', email: undefined }, ip: undefined, userAgent: undefined, requestId: undefined,
  })
  return after
}

type NewExternalUser = Pick<User, 'id' | 'email' | 'name' | 'roles' | 'externalIssuer'>

async function insertUser(
  { users }: Pick<Stores, 'users'>, user: NewExternalUser, { tenant }: ExternalPrincipal, at: number,
): Promise<User> {
  const { usersMax } = limits.admin
  if ((await users.list(tenant)).length >= usersMax) {
    throw new AppError('FORBIDDEN', `the tenant has reached its limit of ${usersMax} users; ask its admin to remove one`)
  }
  const added: User = { ...user, isActive: true, interface: 'console', permissionsVersion: 1, version: 1, createdAt: at, updatedAt: at }
  await users.insert(tenant, added)
  return added
}

async function updateUser(
  { users }: Pick<Stores, 'users'>, { id, version }: User, next: Pick<User, 'email' | 'name' | 'roles'>,
  { tenant }: ExternalPrincipal, at: number,
): Promise<User> {
  const change = await users.update(tenant, id, next, { expectedVersion: version, at })
  if (change.outcome === 'taken') throw new Error('the address was free in this transaction and is taken now')
  return unwrapChange(change, 'user')
}

/** The address of the token; if another user of the tenant has it, the subject, and else the id. */
async function findFreeEmail({ users }: Pick<Stores, 'users'>, id: string, principal: ExternalPrincipal): Promise<string> {
  const { tenant, subject, profile } = principal
  for (const email of [profile.email, subject]) {
    const holder = email === undefined ? undefined : await users.findByEmail(tenant, email)
    if (email !== undefined && (holder === undefined || holder.id === id)) return email
  }
  return id
}
