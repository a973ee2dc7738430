import { accountName } from '../domain/account.ts'
import { uuidV7 } from '../domain/ids.ts'
import { onlyTenant } from '../domain/tenant.ts'
import type { App } from './app.ts'

/** How somebody gets in for the first time. */
export type FirstCredentials = { readonly email: string; readonly password: string }

/**
 * Makes a tenant and somebody who may do everything in it, where there is no tenant yet. The password is random, told
 * this once and kept as its hash; undefined where there is a tenant.
 */
export async function makeFirstAdmin({ state, identity, clock, randomBytes }: App): Promise<FirstCredentials | undefined> {
  if ((await state.tenants.list()).length > 0) return undefined
  const at = clock.now()
  const email = accountName('admin@localhost')
  const password = Buffer.from(randomBytes(15)).toString('base64url')
  const passwordHash = await identity.hasher.hash(password)
  const id = uuidV7(at, randomBytes(10))
  const stamps = { version: 1, createdAt: at, updatedAt: at }
  await state.transaction(async ({ tenants, accounts, users }) => {
    await tenants.insert({ id: onlyTenant, name: 'Default', isActive: true, settings: {}, ...stamps })
    await accounts.insert({ email, passwordHash, totpSecret: undefined })
    const rights = { roles: ['admin', 'operator'], permissionsVersion: 1, isActive: true } as const
    await users.insert(onlyTenant, { id, email, name: 'Administrator', ...rights, ...stamps })
  })
  return { email, password }
}
