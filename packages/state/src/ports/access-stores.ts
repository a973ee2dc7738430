import type { Tenant, TenantId } from '@tripline/model/tenant'
import type { SignOnStore } from './sign-on-store.ts'
import type { AccountStore, ApiKeyStore, SessionStore, UserStore } from './state-store.ts'

// What authentication needs of the stores, so that it is tested on small ones.

export type Tenants = {
  readonly get: (tenant: TenantId) => Promise<Pick<Tenant, 'isActive' | 'settings'> | undefined>
}

/** Not scoped by tenant: an account's tenants are only known after login. */
export type Accounts = Pick<AccountStore, 'find' | 'replacePasswordHash' | 'useTotpStep'>

/** How a tenant's users log in at its identity provider. */
export type SignOns = Pick<SignOnStore, 'get'>

export type Users = Pick<UserStore, 'get'>

/** Changes are compare-and-set, so that one of two concurrent ones wins. */
export type Sessions = Pick<SessionStore, 'insert' | 'get' | 'advance' | 'revoke'>

/** `find` is the only lookup without a tenant, because the key determines it. */
export type ApiKeys = Pick<ApiKeyStore, 'insert' | 'find' | 'revoke'>
