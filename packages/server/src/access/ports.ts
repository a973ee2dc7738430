import type { Account } from '../model/access/account.ts'
import type { ApiKey } from '../model/access/api-key.ts'
import type { Session, SessionStep } from '../model/access/session.ts'
import type { User } from '../model/access/user.ts'
import type { Tenant, TenantId } from '../model/tenant.ts'
import type { ExternalPrincipal } from './tokens/token-principal.ts'

/** Store of tenants. */
export type Tenants = {
  readonly get: (tenant: TenantId) => Promise<Pick<Tenant, 'isActive' | 'settings'> | undefined>
}

/** Store of accounts. Not scoped by tenant: an account's tenants are only known after login. */
export type Accounts = {
  readonly find: (email: string) => Promise<Account | undefined>
  /** Replaces a hash unless it changed meanwhile, and returns whether it did. The new password is the user's own. */
  readonly replacePasswordHash: (email: string, change: { readonly from: string; readonly to: string }) => Promise<boolean>
  /** Marks the code of a time step as used; false if that or a later step was used, also by a concurrent request. */
  readonly useTotpStep: (email: string, step: number) => Promise<boolean>
}

/** Store of users. */
export type Users = {
  readonly get: (tenant: TenantId, id: string) => Promise<User | undefined>
}

/** Users of an external issuer. */
export type ExternalUsers = {
  /**
   * Adds the user of a verified token, or updates name, address and roles. @throws AppError UNAUTHORIZED for an unknown
   * tenant; FORBIDDEN if the tenant has its maximum of users.
   */
  readonly provision: (issuer: string, principal: ExternalPrincipal) => Promise<Pick<User, 'id'>>
}

/** Store of sessions. Changes are compare-and-set, so that one of two concurrent ones wins. */
export type Sessions = {
  readonly insert: (tenant: TenantId, session: Session) => Promise<void>
  readonly get: (tenant: TenantId, id: string) => Promise<Session | undefined>
  /** Advances to the next generation; false if the session is no longer at `from`, or revoked. */
  readonly advance: (tenant: TenantId, id: string, step: SessionStep) => Promise<boolean>
  /** Revokes a session permanently; returns whether it was active. */
  readonly revoke: (tenant: TenantId, id: string, revokedAt: number) => Promise<boolean>
}

/** Store of API keys. */
export type ApiKeys = {
  /** Inserts a key unless its public id is taken in any tenant. */
  readonly insert: (tenant: TenantId, key: ApiKey) => Promise<'inserted' | 'taken'>
  /** The only lookup without a tenant, because the key determines it. */
  readonly find: (publicId: string) => Promise<ApiKey | undefined>
  /** Revokes a key permanently; false if the tenant has no key with this id. */
  readonly revoke: (tenant: TenantId, publicId: string, revokedAt: number) => Promise<boolean>
}
