/** An attribute of a resource (RFC 7643, section 7). */
export type Attribute = {
  readonly name: string
  readonly type: 'boolean' | 'complex' | 'dateTime' | 'reference' | 'string'
  readonly description: string
  readonly isMultiValued?: true
  readonly isRequired?: true
  readonly isCaseExact?: true
  readonly isReadOnly?: true
  /** Whether no other resource of its type may have the value. */
  readonly isUnique?: true
  /** The values that it usually has. */
  readonly values?: readonly string[]
  /** What a reference may lead to; default: any address. */
  readonly referenceTypes?: readonly string[]
  readonly subAttributes?: readonly Attribute[]
}

/** A type of resource: what its schema says, and the attributes of RFC 7643 that are accepted and not kept. */
export type ResourceType = {
  readonly name: 'User' | 'Group'
  readonly endpoint: '/Users' | '/Groups'
  readonly schema: string
  readonly description: string
  readonly attributes: readonly Attribute[]
  /** In lower case. */
  readonly ignored: ReadonlySet<string>
}

const text = (name: string, description: string, more: Partial<Attribute> = {}): Attribute =>
  ({ name, type: 'string', description, ...more })

/** What every resource has beside the attributes of its schema. */
const commonAttributes: readonly Attribute[] = [
  text('id', 'Identifier that this server assigned.', { isCaseExact: true, isReadOnly: true }),
  text('externalId', 'Identifier that the identity provider assigned.', { isCaseExact: true }),
  {
    name: 'meta', type: 'complex', description: 'Metadata of the resource.', isReadOnly: true, subAttributes: [
      text('resourceType', 'Type of the resource.', { isCaseExact: true }),
      { name: 'created', type: 'dateTime', description: 'When it was added.' },
      { name: 'lastModified', type: 'dateTime', description: 'When it was last changed.' },
      { name: 'location', type: 'reference', description: 'Address of the resource.', isCaseExact: true },
    ],
  },
]

/** The sub-attributes of values such as addresses. */
const valueAttributes: readonly Attribute[] = [
  text('value', 'The value.'),
  text('display', 'The value as it is shown.'),
  text('type', 'What the value is for, such as work.'),
  { name: 'primary', type: 'boolean', description: 'Whether it is preferred; true for one value at most.' },
]

const userAttributes: readonly Attribute[] = [
  text('userName', 'Name with which the user logs in at the identity provider.', { isRequired: true, isUnique: true }),
  {
    name: 'name', type: 'complex', description: 'Parts of the name.', subAttributes: [
      text('formatted', 'The full name.'), text('familyName', 'Family name.'), text('givenName', 'Given name.'),
      text('middleName', 'Middle names.'), text('honorificPrefix', 'Title before the name.'),
      text('honorificSuffix', 'Suffix after the name.'),
    ],
  },
  text('displayName', 'Name that is shown.'),
  { name: 'active', type: 'boolean', description: 'Whether the user may log in; the sessions of a user who may not end.' },
  {
    name: 'emails', type: 'complex', description: 'Email addresses; the primary one, or else the first, is that of the user.',
    isMultiValued: true, subAttributes: valueAttributes,
  },
  {
    name: 'roles', type: 'complex', description: "Roles, which the tenant's role mapping reads as the claim 'roles'.", isMultiValued: true,
    subAttributes: valueAttributes,
  },
  {
    name: 'groups', type: 'complex', description: 'Groups of the user; they change with the members of groups.', isMultiValued: true,
    isReadOnly: true, subAttributes: [
      text('value', 'Identifier of the group.', { isCaseExact: true, isReadOnly: true }),
      { name: '$ref', type: 'reference', description: 'Address of the group.', isReadOnly: true, referenceTypes: ['Group'] },
      text('display', 'Name of the group.', { isReadOnly: true }),
    ],
  },
]

const groupAttributes: readonly Attribute[] = [
  text('displayName', "Name of the group, which the tenant's role mapping reads in the claim 'groups'.", {
    isRequired: true, isUnique: true,
  }),
  {
    name: 'members', type: 'complex', description: 'Users of the group.', isMultiValued: true, subAttributes: [
      text('value', 'Identifier of the user.', { isCaseExact: true }),
      { name: '$ref', type: 'reference', description: 'Address of the user.', referenceTypes: ['User'] },
      text('type', 'User: groups are no members here.', { values: ['User'] }),
      text('display', 'Name of the user.', { isReadOnly: true }),
    ],
  },
]

const namesOfRfc = [
  'nickName', 'profileUrl', 'title', 'userType', 'preferredLanguage', 'locale', 'timezone', 'password', 'phoneNumbers', 'ims', 'photos',
  'addresses', 'entitlements', 'x509Certificates',
]

/** Adds what every resource has to the attributes of a schema. */
function withCommon(attributes: readonly Attribute[]): readonly Attribute[] {
  return [...commonAttributes, ...attributes]
}

export const userType: ResourceType = {
  name: 'User', endpoint: '/Users', schema: 'urn:ietf:params:scim:schemas:core:2.0:User', description: 'A user of the tenant',
  attributes: withCommon(userAttributes), ignored: new Set(namesOfRfc.map((name) => name.toLowerCase())),
}

export const groupType: ResourceType = {
  name: 'Group', endpoint: '/Groups', schema: 'urn:ietf:params:scim:schemas:core:2.0:Group', description: 'A group of users',
  attributes: withCommon(groupAttributes), ignored: new Set(),
}

export const resourceTypes: readonly ResourceType[] = [userType, groupType]

/** Finds an attribute by its name, in any case of letters. */
export function findAttribute(attributes: readonly Attribute[], name: string): Attribute | undefined {
  const folded = name.toLowerCase()
  return attributes.find((attribute) => attribute.name.toLowerCase() === folded)
}

/** The schema of a type as `/Schemas` returns it; what every resource has stands in none (RFC 7643, section 3.1). */
export function printSchema({ schema, name, description, attributes }: ResourceType): object {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'], id: schema, name, description,
    attributes: attributes.filter((attribute) => !commonAttributes.includes(attribute)).map(printAttribute),
    meta: { resourceType: 'Schema', location: `/scim/v2/Schemas/${schema}` },
  }
}

function printAttribute(attribute: Attribute): object {
  const { name, type, description, subAttributes } = attribute
  return {
    name, type, description, multiValued: attribute.isMultiValued === true, required: attribute.isRequired === true,
    ...(type !== 'complex' && type !== 'boolean' && { caseExact: attribute.isCaseExact === true }),
    ...(attribute.values && { canonicalValues: attribute.values }),
    ...(type === 'reference' && { referenceTypes: attribute.referenceTypes ?? ['uri'] }),
    mutability: attribute.isReadOnly === true ? 'readOnly' : 'readWrite', returned: 'default',
    uniqueness: attribute.isUnique === true ? 'server' : 'none',
    ...(subAttributes && { subAttributes: subAttributes.map(printAttribute) }),
  }
}
