import type { KeyScope, Role } from '../domain/permission.ts'
import type { TenantId } from '../domain/tenant.ts'

/** What a person logs in with; the same person may be a user of several tenants. */
export type Account = {
  /** As `accountName` makes it of what was typed. */
  readonly email: string
  /** As `hashPassword` printed it; undefined for those who only come from an external issuer. */
  readonly passwordHash: string | undefined
  /** The secret of the codes that are asked for beside the password; undefined where none are. */
  readonly totpSecret: Uint8Array | undefined
  /** Number of the last time step whose code was used: a code is good once. */
  readonly totpStepUsed: number
  readonly memberships: readonly { readonly tenant: TenantId; readonly userId: string }[]
}

/** Somebody in one tenant. */
export type User = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly roles: readonly Role[]
  /** Counts changes of roles and resets; tokens of an older version are refused. */
  readonly permissionsVersion: number
  readonly isActive: boolean
}

/** Keeps accounts and users. */
export type Users = {
  readonly get: (tenant: TenantId, id: string) => Promise<User | undefined>
  /** The only question that knows no tenant yet: whose the address is. */
  readonly account: (email: string) => Promise<Account | undefined>
  /** Replaces a hash unless it changed meanwhile; tells whether it did. */
  readonly replacePasswordHash: (email: string, change: { readonly from: string; readonly to: string }) => Promise<boolean>
  /** Marks the code of a time step as used; false if that or a later one was used before, also by a request at the same time. */
  readonly useTotpStep: (email: string, step: number) => Promise<boolean>
}

/** A login that goes on. */
export type Session = {
  readonly id: string
  readonly userId: string
  readonly createdAt: number
  /** When it was last refreshed. */
  readonly refreshedAt: number
  /** Number of the one refresh token that is good; those before it were used. */
  readonly generation: number
  readonly revokedAt: number | undefined
}

/** The step from one generation to the next. */
export type SessionStep = { readonly from: number; readonly refreshedAt: number }

/** Keeps sessions. Changes are compare-and-set, so that of two at the same time one wins. */
export type Sessions = {
  readonly insert: (tenant: TenantId, session: Session) => Promise<void>
  readonly get: (tenant: TenantId, id: string) => Promise<Session | undefined>
  /** Goes from one generation to the next; false if the session is not of `from` any more, or revoked. */
  readonly advance: (tenant: TenantId, id: string, step: SessionStep) => Promise<boolean>
  /** Revokes a session; once revoked it stays as it is. */
  readonly revoke: (tenant: TenantId, id: string, revokedAt: number) => Promise<void>
}

/** A key for programs, as it is kept: never the key itself. */
export type ApiKey = {
  /** The eight characters that stand in the key and in lists. */
  readonly publicId: string
  readonly tenant: TenantId
  readonly name: string
  readonly scope: KeyScope
  /** SHA-256 of the whole key. */
  readonly hash: Uint8Array
  readonly createdAt: number
  readonly createdBy: string
  /** Undefined for a key that does not end. */
  readonly expiresAt: number | undefined
  readonly revokedAt: number | undefined
}

/** Keeps API keys. */
export type ApiKeys = {
  /** Adds a key; false if its public id is taken, by whichever tenant. */
  readonly insert: (tenant: TenantId, key: ApiKey) => Promise<boolean>
  /** The only question that knows no tenant yet: whose the key is. */
  readonly find: (publicId: string) => Promise<ApiKey | undefined>
  /** Revokes a key of this tenant; false if it has none of this id. */
  readonly revoke: (tenant: TenantId, publicId: string, revokedAt: number) => Promise<boolean>
}
