/** The columns of the tables as the migrations leave them: whole numbers, texts and NULL, as `dialect.ts` says. */
export type Tables = {
  readonly schemaVersions: { readonly version: number; readonly name: string; readonly checksum: string }
  readonly tenants: TenantRow
  readonly users: UserRow
  readonly apiKeys: ApiKeyRow
  readonly sessions: SessionRow
  readonly refreshTokens: RefreshTokenRow
}

/** Truth is 0 or 1. */
export type Flag = number

export type TenantRow = {
  readonly id: string
  readonly name: string
  readonly isActive: Flag
  readonly settings: string
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

export type UserRow = {
  readonly tenantId: string
  readonly id: string
  readonly email: string
  readonly emailFolded: string
  readonly name: string
  readonly roles: string
  readonly isActive: Flag
  readonly passwordHash: string | null
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

export type ApiKeyRow = {
  readonly tenantId: string
  readonly id: string
  readonly name: string
  readonly hash: string
  readonly access: string
  readonly createdBy: string
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
  readonly revokedAt: number | null
}

export type SessionRow = {
  readonly tenantId: string
  readonly id: string
  readonly userId: string
  readonly createdAt: number
  readonly idleUntil: number
  readonly endsAt: number
  readonly endedAt: number | null
  readonly endedBecause: string | null
}

export type RefreshTokenRow = {
  readonly tenantId: string
  readonly hash: string
  readonly sessionId: string
  readonly issuedAt: number
  readonly usedAt: number | null
}
