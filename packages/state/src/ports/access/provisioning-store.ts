import type { GroupHead, ProvisionedGroup, ProvisionedUser, ProvisioningToken } from '@tripline/model/access/provisioning'
import type { TenantId } from '@tripline/model/tenant'
import type { Insertion } from '../change.ts'

/** Stores what identity providers state by SCIM: users and groups, and the tokens with which they do. */
export type ProvisioningStore = {
  readonly insertToken: (tenant: TenantId, token: ProvisioningToken) => Promise<void>
  /** The token of a hash. It is found before the tenant is known. */
  readonly findToken: (hash: string) => Promise<{ readonly tenant: TenantId; readonly token: ProvisioningToken } | undefined>
  /** All tokens of a tenant, oldest first. */
  readonly listTokens: (tenant: TenantId) => Promise<readonly ProvisioningToken[]>
  /** Returns whether the token existed. */
  readonly removeToken: (tenant: TenantId, id: string) => Promise<boolean>
  readonly noteTokenUse: (tenant: TenantId, id: string, use: { readonly at: number; readonly ip: string }) => Promise<void>
  readonly getUser: (tenant: TenantId, userId: string) => Promise<ProvisionedUser | undefined>
  /** All provisioned users, removed ones included, by id. */
  readonly listUsers: (tenant: TenantId) => Promise<readonly ProvisionedUser[]>
  /** Adds or replaces a user; `taken` if another one has the user name. */
  readonly putUser: (tenant: TenantId, user: ProvisionedUser) => Promise<Insertion>
  readonly getGroup: (tenant: TenantId, id: string) => Promise<ProvisionedGroup | undefined>
  /** All groups, by id. */
  readonly listGroups: (tenant: TenantId) => Promise<readonly GroupHead[]>
  /** The groups of a user, by id. */
  readonly listGroupsOf: (tenant: TenantId, userId: string) => Promise<readonly GroupHead[]>
  /** The number of members by group; groups without any are left out. */
  readonly countMembers: (tenant: TenantId) => Promise<ReadonlyMap<string, number>>
  /** Adds or replaces a group with its members; `taken` if another one has the name. */
  readonly putGroup: (tenant: TenantId, group: ProvisionedGroup) => Promise<Insertion>
  /** Returns whether the group existed. */
  readonly removeGroup: (tenant: TenantId, id: string) => Promise<boolean>
}
