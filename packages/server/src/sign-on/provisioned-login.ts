import type { ProvisionedUser } from '@tripline/model/access/provisioning'
import type { TenantRole, TokenClaims } from '@tripline/model/access/role-mapping'
import type { User } from '@tripline/model/access/user'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore, Stores } from '@tripline/state/ports/state-store'
import { unwrapChange } from '@tripline/state/ports/version-conflict'
import { SignOnError } from './sign-on-error.ts'

/** Who came back from a provider: the id that the login derives, and the claims. */
type Login = { readonly loginId: string; readonly subject: string; readonly claims: TokenClaims }

/**
 * Finds the user whom the provider stated by SCIM: the one of an earlier login; else one who never logged in, by the provider's
 * own id in `sub` or `oid`, and then by an address that the provider does not say is unverified. Undefined for a user who came by
 * no SCIM. A user with a password here is never among them.
 */
export async function findProvisionedUser(
  { users, provisioning }: Pick<Stores, 'users' | 'provisioning'>, tenant: TenantId, { loginId, subject, claims }: Login,
): Promise<ProvisionedUser | undefined> {
  const all = await provisioning.listUsers(tenant)
  const known = all.find((stated) => stated.loginId === loginId)
  if (known !== undefined) return known
  const free = all.filter((stated) => stated.loginId === '' && !stated.isRemoved)
  const sameId = free.find(({ externalId }) => externalId !== '' && (externalId === subject || externalId === claims['oid']))
  const { email, email_verified: isVerified } = claims
  if (sameId !== undefined || typeof email !== 'string' || isVerified === false || isVerified === 'false') return sameId
  const holder = await users.findByEmail(tenant, email)
  return free.find(({ userName }) => userName.toLowerCase() === email.toLowerCase()) ?? free.find(({ userId }) => userId === holder?.id)
}

type ProvenLogin = { readonly stated: ProvisionedUser; readonly loginId: string; readonly roles: readonly TenantRole[] }

/** The user of a login whom SCIM stated: remembers whose login it is, and gives the user its role. @throws SignOnError. */
export async function admitProvisionedUser(
  { transaction }: Pick<StateStore, 'transaction'>, tenant: TenantId, { stated, loginId, roles }: ProvenLogin, at: number,
): Promise<User> {
  return await transaction(async (stores) => {
    const user = await stores.users.get(tenant, stated.userId)
    if (user?.isActive !== true) throw new SignOnError('user_disabled')
    if (roles.length === 0) throw new SignOnError('no_role')
    const hasNewLogin = stated.loginId !== loginId
    const hasNewRole = user.roles.join() !== roles.join()
    if (!hasNewLogin && !hasNewRole) return user
    if (hasNewLogin) await stores.provisioning.putUser(tenant, { ...stated, loginId, updatedAt: at })
    const change = hasNewRole ? await stores.users.update(tenant, user.id, { roles }, { expectedVersion: user.version, at }) : undefined
    if (change?.outcome === 'taken') throw new Error('a user who keeps the address is said to have taken one')
    await stores.audit.append(tenant, {
      at, action: 'user.update', target: { type: 'user', id: user.id }, outcome: 'success',
      diff: { ...(hasNewLogin && { login_id: [null, loginId] }), ...(hasNewRole && { roles: [user.roles, roles] }) },
      actor: { type: 'system', id: 'external_issuer', email: undefined }, ip: undefined, userAgent: undefined, requestId: undefined,
    })
    return change === undefined ? user : unwrapChange(change, 'user')
  })
}
