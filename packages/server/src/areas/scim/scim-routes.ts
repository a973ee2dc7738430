import { notFound, requireFound } from '@tripline/state/ports/version-conflict'
import { getPrincipal } from '../../http/route.ts'
import type { RequestContext, Route } from '../../http/route.ts'
import { limits } from '../../limits.ts'
import { printGroupResource } from '../../scim/group-resource.ts'
import { groupType, printSchema, resourceTypes, userType } from '../../scim/resource-types.ts'
import type { ResourceType } from '../../scim/resource-types.ts'
import { printUserResource } from '../../scim/user-resource.ts'
import type { AdminDeps } from '../shared/admin-deps.ts'
import { createGroup, patchGroup, removeGroup, replaceGroup } from './provision-groups.ts'
import {
  addGroups, getUserEntry, listStatedUsers, patchUser, provisionUser, removeProvisionedUser, replaceUser,
} from './provision-users.ts'
import {
  printListResponse, printScimError, readScimBody, readScimId, respondAsScim, respondToSearch, respondWithPage, respondWithResource,
} from './scim-answers.ts'
import type { Listing } from './scim-answers.ts'

/** The path of SCIM 2.0. */
export const scimBase = '/scim/v2'

/** What SCIM needs of the server. */
type ScimDeps = AdminDeps & { readonly publicUrl: string }

/** Users and groups of a tenant for its identity provider (RFC 7643, RFC 7644), which document them. */
export function scimRoutes(deps: ScimDeps): Route[] {
  const paths = getBase(deps)
  return [
    ...userRoutes(deps, paths), ...groupRoutes(deps, paths),
    scimRoute('GET', '/ServiceProviderConfig', 'Tells what of SCIM is supported', (c) => respondAsScim(c, printServiceConfig(paths))),
    scimRoute('GET', '/ResourceTypes', 'Lists the types of resources', (c) =>
      respondAsScim(c, printListResponse(resourceTypes.map(printResourceType)))),
    scimRoute('GET', '/ResourceTypes/:id', 'Returns a type of resources', (c) =>
      respondAsScim(c, printResourceType(requireFound(resourceTypes.find(({ name }) => name === c.req.param('id')), 'type')))),
    scimRoute('GET', '/Schemas', 'Lists the schemas', (c) => respondAsScim(c, printListResponse(resourceTypes.map(printSchema)))),
    scimRoute('GET', '/Schemas/:id', 'Returns a schema', (c) =>
      respondAsScim(c, printSchema(requireFound(resourceTypes.find(({ schema }) => schema === c.req.param('id')), 'schema')))),
    // Unknown paths are refused in the words of SCIM too.
    scimRoute('GET', '/*', 'Refuses what does not exist', () => {
      throw notFound('resource')
    }),
  ]
}

function userRoutes(deps: ScimDeps, base: string): Route[] {
  const path = userType.endpoint
  const { state } = deps
  const list = async (c: RequestContext): Promise<Listing> => {
    const { tenant } = getPrincipal(c)
    const users = new Map((await listStatedUsers(state, tenant)).map((one) => [one.user.id, one]))
    return {
      resources: [...users.values()].map((one) => printUserResource({ ...one, groups: [] }, base)), costly: 'groups',
      complete: async (id) => printUserResource(await addGroups(state, tenant, requireFound(users.get(id), 'user')), base),
    }
  }
  const show = (c: RequestContext, entry: Parameters<typeof printUserResource>[0], status: 200 | 201 = 200): Response =>
    respondWithResource(c, printUserResource(entry, base), status)
  return [
    scimRoute('GET', path, 'Lists provisioned users', async (c) => respondWithPage(c, userType, await list(c))),
    scimRoute('POST', `${path}/.search`, 'Lists provisioned users', async (c) => respondToSearch(c, userType, await list(c))),
    scimRoute('POST', path, 'Adds a user', async (c) => show(c, await provisionUser(deps, getPrincipal(c), await readScimBody(c)), 201)),
    scimRoute('GET', `${path}/:id`, 'Returns a user', async (c) =>
      show(c, await getUserEntry(deps.state, getPrincipal(c).tenant, readScimId(c)))),
    scimRoute('PUT', `${path}/:id`, 'Replaces a user', async (c) =>
      show(c, await replaceUser(deps, getPrincipal(c), readScimId(c), await readScimBody(c)))),
    scimRoute('PATCH', `${path}/:id`, 'Changes a user', async (c) =>
      show(c, await patchUser(deps, getPrincipal(c), readScimId(c), await readScimBody(c)))),
    scimRoute('DELETE', `${path}/:id`, 'Removes a user', async (c) => {
      await removeProvisionedUser(deps, getPrincipal(c), readScimId(c))
      return c.body(null, 204)
    }),
  ]
}

function groupRoutes(deps: ScimDeps, base: string): Route[] {
  const path = groupType.endpoint
  const { users, provisioning } = deps.state
  const readNames = async (c: RequestContext): Promise<ReadonlyMap<string, string>> =>
    new Map((await users.list(getPrincipal(c).tenant)).map(({ id, name }) => [id, name]))
  const list = async (c: RequestContext): Promise<Listing> => {
    const { tenant } = getPrincipal(c)
    const [heads, names] = await Promise.all([provisioning.listGroups(tenant), readNames(c)])
    return {
      resources: heads.map((head) => printGroupResource({ ...head, memberIds: [] }, names, base)), costly: 'members',
      complete: async (id) => printGroupResource(requireFound(await provisioning.getGroup(tenant, id), 'group'), names, base),
    }
  }
  const show = async (c: RequestContext, group: Parameters<typeof printGroupResource>[0], status: 200 | 201 = 200): Promise<Response> =>
    respondWithResource(c, printGroupResource(group, await readNames(c), base), status)
  return [
    scimRoute('GET', path, 'Lists provisioned groups', async (c) => respondWithPage(c, groupType, await list(c))),
    scimRoute('POST', `${path}/.search`, 'Lists provisioned groups', async (c) => respondToSearch(c, groupType, await list(c))),
    scimRoute('POST', path, 'Adds a group', async (c) => show(c, await createGroup(deps, getPrincipal(c), await readScimBody(c)), 201)),
    scimRoute('GET', `${path}/:id`, 'Returns a group', async (c) =>
      show(c, requireFound(await provisioning.getGroup(getPrincipal(c).tenant, readScimId(c)), 'group'))),
    scimRoute('PUT', `${path}/:id`, 'Replaces a group', async (c) =>
      show(c, await replaceGroup(deps, getPrincipal(c), readScimId(c), await readScimBody(c)))),
    scimRoute('PATCH', `${path}/:id`, 'Changes a group', async (c) =>
      show(c, await patchGroup(deps, getPrincipal(c), readScimId(c), await readScimBody(c)))),
    scimRoute('DELETE', `${path}/:id`, 'Removes a group', async (c) => {
      await removeGroup(deps, getPrincipal(c), readScimId(c))
      return c.body(null, 204)
    }),
  ]
}

function scimRoute(method: Route['method'], path: string, summary: string, handle: Route['handle']): Route {
  return {
    method, path: `${scimBase}${path}`, access: 'provisioner', summary, responses: { 200: null }, isForeign: true,
    printError: printScimError, handle,
  }
}

function printServiceConfig(base: string): object {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true }, bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: limits.scim.pageSizeMax }, changePassword: { supported: false }, sort: { supported: false },
    etag: { supported: false },
    authenticationSchemes: [{
      type: 'oauthbearertoken', name: 'Bearer token', primary: true,
      description: 'A token that an administrator of the tenant issues in the settings.',
    }],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  }
}

function printResourceType({ name, endpoint, schema, description }: ResourceType): object {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'], id: name, name, endpoint, schema, description,
    meta: { resourceType: 'ResourceType', location: `${scimBase}/ResourceTypes/${name}` },
  }
}

function getBase({ publicUrl }: ScimDeps): string {
  return `${publicUrl.replace(/\/$/, '')}${scimBase}`
}
