import { onlyTenant } from '../domain/tenant.ts'
import { addUser } from './add-user.ts'
import type { AdminApp } from './admin-app.ts'
import { createDefaultTenant } from './default-tenant.ts'
import { createTemporaryPassword } from './temporary-password.ts'

/** How somebody gets in for the first time. */
export type FirstCredentials = { readonly email: string; readonly password: string }

/**
 * Makes a tenant and somebody who may do everything in it, where there is no tenant yet. The password is random, told
 * this once and kept as its hash; undefined where there is a tenant.
 */
export async function createFirstAdmin(app: AdminApp): Promise<FirstCredentials | undefined> {
  if ((await app.state.tenants.list()).length > 0) return undefined
  const email = 'admin@localhost'
  const password = await createTemporaryPassword(app)
  await app.state.transaction(async (stores) => {
    await stores.tenants.insert(createDefaultTenant({ id: onlyTenant, name: 'Default' }, app.clock.now()))
    const admin = { email, name: 'Administrator', roles: ['admin', 'operator'] } as const
    // Whoever reads the log of the first start runs the server: the password is theirs, and good until they change it.
    await addUser(stores, app, onlyTenant, admin, { passwordHash: password.hash, hasOneTimePassword: false, mayJoin: false })
  })
  return { email, password: password.text }
}
