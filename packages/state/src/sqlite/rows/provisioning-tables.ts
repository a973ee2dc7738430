/** The tables of users and groups that identity providers provision, part of `Tables`. */
export type ProvisioningTables = {
  readonly provisioningTokens: ProvisioningTokenRow
  readonly provisionedUsers: ProvisionedUserRow
  readonly provisionedGroups: ProvisionedGroupRow
  readonly provisionedMembers: { readonly tenantId: string; readonly groupId: string; readonly userId: string }
}

export type ProvisioningTokenRow = {
  readonly tenantId: string
  readonly id: string
  readonly hash: string
  readonly createdBy: string
  readonly createdAt: number
  readonly expiresAt: number
  /** 0 before the first use. */
  readonly lastUsedAt: number
  readonly lastUsedIp: string
}

export type ProvisionedUserRow = {
  readonly tenantId: string
  readonly userId: string
  readonly userName: string
  /** The user name in lower case. */
  readonly foldedName: string
  readonly externalId: string
  /** JSON. */
  readonly attributes: string
  readonly loginId: string
  readonly isRemoved: number
  readonly createdAt: number
  readonly updatedAt: number
}

export type ProvisionedGroupRow = {
  readonly tenantId: string
  readonly id: string
  readonly displayName: string
  /** The name in lower case. */
  readonly foldedName: string
  readonly externalId: string
  readonly createdAt: number
  readonly updatedAt: number
}
