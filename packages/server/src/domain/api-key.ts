/** A key by which programs work in a tenant. The key itself is shown once and kept nowhere; what is kept is its hash. */
export type ApiKey = {
  readonly id: string
  readonly name: string
  readonly access: 'read_only' | 'read_write'
  /** Id of the user who made it. */
  readonly createdBy: string
  readonly createdAt: number
  readonly expiresAt: number | undefined
  readonly lastUsedAt: number | undefined
  readonly revokedAt: number | undefined
}
