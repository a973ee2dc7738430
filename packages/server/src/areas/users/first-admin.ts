import { createDefaultTenant, onlyTenant } from '@tripline/model/tenant'
import { addUser } from '../../access/add-user.ts'
import { createTemporaryPassword } from '../../access/login/temporary-password.ts'
import type { AdminDeps } from '../shared/admin-deps.ts'

/** The address that the first admin logs in with. */
export const firstAdminEmail = 'admin@localhost'

/** Credentials of the first admin. */
export type FirstCredentials = { readonly email: string; readonly password: string }

/**
 * Creates the first tenant with an admin, if there is no tenant. The password is the given one or random; it is returned this once
 * and stored as a hash. Returns undefined if a tenant exists.
 *
 * @throws AppError INVALID_PARAMETER for a given password that is too short, too long or easily guessed.
 */
export async function createFirstAdmin(deps: AdminDeps, given?: string): Promise<FirstCredentials | undefined> {
  if ((await deps.state.tenants.list()).length > 0) return undefined
  const email = firstAdminEmail
  const password = given === undefined
    ? await createTemporaryPassword(deps)
    : { text: given, hash: await deps.identity.hasher.hash(given, email) }
  await deps.state.transaction(async (stores) => {
    await stores.tenants.insert(createDefaultTenant({ id: onlyTenant, name: 'Default' }, deps.clock.now()))
    const admin = { email, name: 'Administrator', roles: ['admin', 'operator'] } as const
    // The file with the password belongs to the operator, so the password stays valid until it is changed.
    await addUser(stores, deps, onlyTenant, admin, { passwordHash: password.hash, hasOneTimePassword: false, mayJoin: false })
  })
  return { email, password: password.text }
}
