import { isJsonObject } from '@tripline/common/json'
import type { GroupHead, ProvisionedUser } from '@tripline/model/access/provisioning'
import type { TokenClaims } from '@tripline/model/access/role-mapping'
import type { User } from '@tripline/model/access/user'
import { limits } from '../limits.ts'
import type { Resource } from './read-resource.ts'
import { groupType, userType } from './resource-types.ts'
import { createScimError } from './scim-error.ts'

/** A user as an identity provider wants it. */
export type WantedUser = Pick<ProvisionedUser, 'userName' | 'externalId' | 'attributes'> & {
  readonly email: string
  readonly name: string
  /** Undefined where the provider does not say. */
  readonly isActive: boolean | undefined
}

/** The wanted user of a resource. @throws AppError with the type `invalidValue`. */
export function toWantedUser(resource: Resource): WantedUser {
  const { userName, externalId, active, displayName, name, emails, roles } = resource
  if (typeof userName !== 'string' || userName.trim() === '') throw createScimError('invalidValue', "'userName' must not be empty")
  const attributes = Object.fromEntries(Object.entries({ displayName, name, emails, roles }).filter(([, value]) => value !== undefined))
  if (JSON.stringify(attributes).length > limits.scim.attributesBytesMax) {
    throw createScimError('invalidValue', `addresses, names and roles have more than ${limits.scim.attributesBytesMax} bytes together`)
  }
  return {
    userName, attributes, externalId: typeof externalId === 'string' ? externalId : '', email: findEmail(emails) ?? userName,
    name: findName(resource).slice(0, limits.admin.nameLengthMax), isActive: typeof active === 'boolean' ? active : undefined,
  }
}

/** The primary address, or else the first. */
function findEmail(emails: unknown): string | undefined {
  const stated = (Array.isArray(emails) ? emails : []).filter(isJsonObject)
  const value = (stated.find(({ primary }) => primary === true) ?? stated[0])?.['value']
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

function findName({ displayName, name, userName }: Resource): string {
  const { formatted, givenName, familyName } = isJsonObject(name) ? name : {}
  const parts = [givenName, familyName].filter((part) => typeof part === 'string' && part !== '').join(' ')
  return [displayName, formatted, parts, userName].find((text) => typeof text === 'string' && text.trim() !== '') as string
}

/** What the role mapping reads of a provisioned user, as it reads the claims of a token. */
export function toClaims(
  { userName, externalId, attributes }: Pick<ProvisionedUser, 'userName' | 'externalId' | 'attributes'>,
  groups: readonly GroupHead[],
): TokenClaims {
  const { emails, roles, displayName } = attributes
  const roleValues = (Array.isArray(roles) ? roles : []).filter(isJsonObject).map(({ value }) => value)
  return {
    userName, externalId, displayName, email: findEmail(emails) ?? userName, roles: roleValues,
    groups: toGroupClaims(groups),
  }
}

/** Groups as values of a claim: by name and by id, as providers state them in tokens, so that one mapping serves both. */
export function toGroupClaims(groups: readonly GroupHead[]): readonly string[] {
  return groups.flatMap(({ displayName, externalId }) => (externalId === '' ? [displayName] : [displayName, externalId]))
}

/** A user, what its provider stated, if it did, and the groups that it is in. */
export type UserEntry = {
  readonly user: User
  readonly stated: ProvisionedUser | undefined
  readonly groups: readonly GroupHead[]
}

/** A user as a resource; one whom only a login added, as the login stated it. */
export function printUserResource({ user, stated, groups }: UserEntry, base: string): Resource {
  const { id, email, name, isActive, createdAt, updatedAt } = user
  const own = stated?.attributes ?? { displayName: name, emails: [{ value: email, primary: true }] }
  const externalId = stated?.externalId ?? ''
  return {
    schemas: [userType.schema], id, ...(externalId !== '' && { externalId }), userName: stated?.userName ?? email, ...own, active: isActive,
    ...(groups.length > 0 && { groups: groups.map((group) => printMembership(group, base)) }),
    meta: {
      resourceType: 'User', created: new Date(createdAt).toISOString(),
      lastModified: new Date(Math.max(updatedAt, stated?.updatedAt ?? 0)).toISOString(), location: `${base}${userType.endpoint}/${id}`,
    },
  }
}

function printMembership({ id, displayName }: GroupHead, base: string): object {
  return { value: id, $ref: `${base}${groupType.endpoint}/${id}`, display: displayName }
}
