import { isJsonObject } from '@tripline/common/json'
import type { ProvisionedGroup } from '@tripline/model/access/provisioning'
import type { Resource } from './read-resource.ts'
import { groupType, userType } from './resource-types.ts'
import { createScimError } from './scim-error.ts'

/** A group as an identity provider wants it. */
export type WantedGroup = Pick<ProvisionedGroup, 'displayName' | 'externalId' | 'memberIds'>

/** The wanted group of a resource. @throws AppError with the type `invalidValue`. */
export function toWantedGroup({ displayName, externalId, members }: Resource): WantedGroup {
  if (typeof displayName !== 'string' || displayName.trim() === '') throw createScimError('invalidValue', "'displayName' must not be empty")
  const memberIds = (Array.isArray(members) ? members : []).map((member: unknown) => {
    const { value, type } = isJsonObject(member) ? member : {}
    const isGroup = typeof type === 'string' && type.toLowerCase() === 'group'
    if (isGroup) throw createScimError('invalidValue', 'a group cannot be a member of a group')
    if (typeof value !== 'string' || value === '') throw createScimError('invalidValue', "a member must have the id of a user as 'value'")
    return value
  })
  return { displayName, externalId: typeof externalId === 'string' ? externalId : '', memberIds: [...new Set(memberIds)].toSorted() }
}

/** A group as a resource; members with the names of their users. */
export function printGroupResource(
  { id, displayName, externalId, memberIds, createdAt, updatedAt }: ProvisionedGroup, names: ReadonlyMap<string, string>, base: string,
): Resource {
  return {
    schemas: [groupType.schema], id, ...(externalId !== '' && { externalId }), displayName,
    members: memberIds.map((value) => ({
      value, $ref: `${base}${userType.endpoint}/${value}`, type: 'User', display: names.get(value) ?? value,
    })),
    meta: {
      resourceType: 'Group', created: new Date(createdAt).toISOString(), lastModified: new Date(updatedAt).toISOString(),
      location: `${base}${groupType.endpoint}/${id}`,
    },
  }
}
