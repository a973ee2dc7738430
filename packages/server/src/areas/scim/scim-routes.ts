import type { Principal } from '@tripline/model/access/principal'
import type { ProvisionedGroup } from '@tripline/model/access/provisioning'
import type { TenantId } from '@tripline/model/tenant'
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
    ...resourceRoutes(deps, describeUsers(deps, paths)), ...resourceRoutes(deps, describeGroups(deps, paths)),
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

/** What the routes of users and of groups differ in. */
type ScimResource<Entry> = {
  readonly type: ResourceType
  readonly noun: 'user' | 'group'
  readonly list: (c: RequestContext) => Promise<Listing>
  readonly get: (tenant: TenantId, id: string) => Promise<Entry>
  readonly create: Write<[body: ScimBody], Entry>
  readonly replace: Write<[id: string, body: ScimBody], Entry>
  readonly patch: Write<[id: string, body: ScimBody], Entry>
  readonly remove: Write<[id: string], void>
  readonly print: (c: RequestContext, entry: Entry) => Promise<Parameters<typeof respondWithResource>[1]>
}

type ScimBody = Awaited<ReturnType<typeof readScimBody>>
type Write<Rest extends readonly unknown[], Result> = (deps: AdminDeps, caller: Principal, ...rest: Rest) => Promise<Result>

function resourceRoutes<Entry>(deps: AdminDeps, resource: ScimResource<Entry>): Route[] {
  const { type, noun, list, get, create, replace, patch, remove, print } = resource
  const path = type.endpoint
  const show = async (c: RequestContext, entry: Entry, status: 200 | 201 = 200): Promise<Response> =>
    respondWithResource(c, await print(c, entry), status)
  return [
    scimRoute('GET', path, `Lists provisioned ${noun}s`, async (c) => respondWithPage(c, type, await list(c))),
    scimRoute('POST', `${path}/.search`, `Lists provisioned ${noun}s`, async (c) => respondToSearch(c, type, await list(c))),
    scimRoute('POST', path, `Adds a ${noun}`, async (c) => await show(c, await create(deps, getPrincipal(c), await readScimBody(c)), 201)),
    scimRoute('GET', `${path}/:id`, `Returns a ${noun}`, async (c) => await show(c, await get(getPrincipal(c).tenant, readScimId(c)))),
    scimRoute('PUT', `${path}/:id`, `Replaces a ${noun}`, async (c) =>
      await show(c, await replace(deps, getPrincipal(c), readScimId(c), await readScimBody(c)))),
    scimRoute('PATCH', `${path}/:id`, `Changes a ${noun}`, async (c) =>
      await show(c, await patch(deps, getPrincipal(c), readScimId(c), await readScimBody(c)))),
    scimRoute('DELETE', `${path}/:id`, `Removes a ${noun}`, async (c) => {
      await remove(deps, getPrincipal(c), readScimId(c))
      return c.body(null, 204)
    }),
  ]
}

type UserEntry = Parameters<typeof printUserResource>[0]

function describeUsers({ state }: ScimDeps, base: string): ScimResource<UserEntry> {
  return {
    type: userType, noun: 'user',
    list: async (c) => {
      const { tenant } = getPrincipal(c)
      const users = new Map((await listStatedUsers(state, tenant)).map((one) => [one.user.id, one]))
      return {
        resources: [...users.values()].map((one) => printUserResource({ ...one, groups: [] }, base)), costly: 'groups',
        complete: async (id) => printUserResource(await addGroups(state, tenant, requireFound(users.get(id), 'user')), base),
      }
    },
    get: async (tenant, id) => await getUserEntry(state, tenant, id),
    create: provisionUser, replace: replaceUser, patch: patchUser, remove: removeProvisionedUser,
    print: async (_, entry) => printUserResource(entry, base),
  }
}

function describeGroups({ state: { users, provisioning } }: ScimDeps, base: string): ScimResource<ProvisionedGroup> {
  const readNames = async (c: RequestContext): Promise<ReadonlyMap<string, string>> =>
    new Map((await users.list(getPrincipal(c).tenant)).map(({ id, name }) => [id, name]))
  return {
    type: groupType, noun: 'group',
    list: async (c) => {
      const { tenant } = getPrincipal(c)
      const [heads, names] = await Promise.all([provisioning.listGroups(tenant), readNames(c)])
      return {
        resources: heads.map((head) => printGroupResource({ ...head, memberIds: [] }, names, base)), costly: 'members',
        complete: async (id) => printGroupResource(requireFound(await provisioning.getGroup(tenant, id), 'group'), names, base),
      }
    },
    get: async (tenant, id) => requireFound(await provisioning.getGroup(tenant, id), 'group'),
    create: createGroup, replace: replaceGroup, patch: patchGroup, remove: removeGroup,
    print: async (c, group) => printGroupResource(group, await readNames(c), base),
  }
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
