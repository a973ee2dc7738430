import type { Account } from '../domain/account.ts'
import type { ApiKey } from '../domain/api-key.ts'
import type { Session, SessionStep } from '../domain/session.ts'
import type { Tenant, TenantId } from '../domain/tenant.ts'
import type { User } from '../domain/user.ts'

/** Knows tenants. */
export type Tenants = {
  readonly get: (tenant: TenantId) => Promise<Pick<Tenant, 'isActive' | 'settings'> | undefined>
}

/** Keeps accounts. Nobody knows a tenant yet who asks here: whose the address is, is the question. */
export type Accounts = {
  readonly find: (email: string) => Promise<Account | undefined>
  /** Replaces a hash unless it changed meanwhile; tells whether it did. The new one is of a password of the person's own. */
  readonly replacePasswordHash: (email: string, change: { readonly from: string; readonly to: string }) => Promise<boolean>
  /** Marks the code of a time step as used; false if that or a later one was used before, also by a request at the same time. */
  readonly useTotpStep: (email: string, step: number) => Promise<boolean>
}

/** Keeps users. */
export type Users = {
  readonly get: (tenant: TenantId, id: string) => Promise<User | undefined>
}

/** Keeps sessions. Changes are compare-and-set, so that of two at the same time one wins. */
export type Sessions = {
  readonly insert: (tenant: TenantId, session: Session) => Promise<void>
  readonly get: (tenant: TenantId, id: string) => Promise<Session | undefined>
  /** Goes from one generation to the next; false if the session is not of `from` any more, or revoked. */
  readonly advance: (tenant: TenantId, id: string, step: SessionStep) => Promise<boolean>
  /** Revokes a session; once revoked it stays as it is. Says whether there was such a session that was not. */
  readonly revoke: (tenant: TenantId, id: string, revokedAt: number) => Promise<boolean>
}

/** Keeps API keys. */
export type ApiKeys = {
  /** Adds a key, unless its public id is taken, by whichever tenant. */
  readonly insert: (tenant: TenantId, key: ApiKey) => Promise<'inserted' | 'taken'>
  /** The only question that knows no tenant yet: whose the key is. */
  readonly find: (publicId: string) => Promise<ApiKey | undefined>
  /** Revokes a key of this tenant; once revoked it stays as it is. False if the tenant has none of this id. */
  readonly revoke: (tenant: TenantId, publicId: string, revokedAt: number) => Promise<boolean>
}
