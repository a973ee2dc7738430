import { createDefaultTenant, onlyTenant } from '@tripline/model/tenant'
import { addUser } from '../../access/add-user.ts'
import { createTemporaryPassword } from '../../access/login/temporary-password.ts'
import type { AdminDeps } from '../shared/admin-deps.ts'

/** Credentials of the first admin. */
export type FirstCredentials = { readonly email: string; readonly password: string }

/**
 * Creates the first tenant with an admin, if there is no tenant. The random password is returned this once and stored as a
 * hash. Returns undefined if a tenant exists.
 */
export async function createFirstAdmin(app: AdminDeps): Promise<FirstCredentials | undefined> {
  if ((await app.state.tenants.list()).length > 0) return undefined
  const email = 'admin@localhost'
  const password = await createTemporaryPassword(app)
  await app.state.transaction(async (stores) => {
    await stores.tenants.insert(createDefaultTenant({ id: onlyTenant, name: 'Default' }, app.clock.now()))
    const admin = { email, name: 'Administrator', roles: ['admin', 'operator'] } as const
    // The file with the password belongs to the operator, so the password stays valid until it is changed.
    await addUser(stores, app, onlyTenant, admin, { passwordHash: password.hash, hasOneTimePassword: false, mayJoin: false })
  })
  return { email, password: password.text }
}
