/** A bearer token with which the identity provider of a tenant provisions users by SCIM; only its hash is stored. */
export type ProvisioningToken = {
  readonly id: string
  readonly hash: string
  /** Id of its creator. */
  readonly createdBy: string
  readonly createdAt: number
  readonly expiresAt: number
  readonly lastUsedAt: number | undefined
  readonly lastUsedIp: string | undefined
}

/** What an identity provider stated of a user by SCIM; name, address, role and state are also those of the user. */
export type ProvisionedUser = {
  readonly userId: string
  /** Unique in the tenant, without regard to case. */
  readonly userName: string
  /** The provider's own id of the user; empty if it states none. */
  readonly externalId: string
  /** Attributes as they are returned: names, addresses, roles. */
  readonly attributes: { readonly [name: string]: unknown }
  /** The id that a login of the user at the identity provider derives; empty before the first one. */
  readonly loginId: string
  /** Whether the provider removed the user, who stays disabled here. */
  readonly isRemoved: boolean
  readonly createdAt: number
  readonly updatedAt: number
}

/** A group of an identity provider, without its members; the role mapping reads it as a value of the claim `groups`. */
export type GroupHead = Omit<ProvisionedGroup, 'memberIds'>

export type ProvisionedGroup = {
  readonly id: string
  /** Unique in the tenant, without regard to case. */
  readonly displayName: string
  /** The provider's own id of the group; empty if it states none. */
  readonly externalId: string
  /** Ids of users, in their order. */
  readonly memberIds: readonly string[]
  readonly createdAt: number
  readonly updatedAt: number
}
